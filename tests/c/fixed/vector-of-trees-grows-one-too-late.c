//@ engines: explicit; verdict: safe
// A forest: a vector of roots that grows when it is full, checked one element too late.
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

struct forest {
    struct tree **roots;
    int count, room;
};

static struct tree *leaf(int key)
{
    struct tree *tree = malloc(sizeof *tree);
    if (tree)
        *tree = (struct tree){ .key = key };
    return tree;
}

static _Bool plant(struct forest *forest, struct tree *tree)
{
    if (forest->count >= forest->room) {
        struct tree **roots = realloc(forest->roots, (forest->room + 2) * sizeof *roots);
        if (!roots)
            return 0;
        forest->roots = roots;
        forest->room += 2;
    }
    forest->roots[forest->count++] = tree;
    return 1;
}

int main(void)
{
    struct forest forest = { .count = 0, .room = 2 };
    forest.roots = malloc(2 * sizeof *forest.roots);
    if (!forest.roots)
        return 1;
    for (int i = 0; i < 3; i++) {
        struct tree *tree = leaf(i);
        if (!tree)
            break;
        if (!plant(&forest, tree)) {
            free(tree);
            break;
        }
    }
    for (int i = 0; i < forest.count; i++)
        free(forest.roots[i]);
    free(forest.roots);
    return 0;
}
