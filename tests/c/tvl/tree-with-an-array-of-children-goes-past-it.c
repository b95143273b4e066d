//@ engines: auto, explicit; verdict: unsafe
/* The side grows with every step down: the third one is none. */
#include <stdlib.h>

struct tree {
    struct tree *child[2];
    int key;
};

static struct tree *down(struct tree *tree, int side)
{
    if (tree->child[side] == NULL) //~ out-of-bounds
        return tree;
    return down(tree->child[side], side + 1);
}

int main(void)
{
    struct tree *top = calloc(1, sizeof *top);
    struct tree *middle = calloc(1, sizeof *middle);
    struct tree *bottom = calloc(1, sizeof *bottom);
    if (top != NULL && middle != NULL && bottom != NULL) {
        top->child[0] = middle;
        middle->child[1] = bottom;
        down(top, 0);
    }
    free(top);
    free(middle);
    free(bottom);
    return 0;
}
