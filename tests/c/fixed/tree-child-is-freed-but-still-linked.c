//@ engines: explicit; verdict: safe
// A tree with parent pointers. Pruning a leaf must clear the link of its parent.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct branch {
    struct branch *parent;
    struct branch *child[2];
    int weight;
};

static struct branch *grow(struct branch *parent, int side)
{
    struct branch *branch = calloc(1, sizeof *branch);
    if (!branch)
        return NULL;
    branch->weight = side + 1;
    branch->parent = parent;
    if (parent)
        parent->child[side] = branch;
    return branch;
}

static void prune(struct branch *leaf)
{
    struct branch *parent = leaf->parent;
    if (parent) {
        int side = parent->child[1] == leaf;
        parent->child[side] = NULL;
    }
    free(leaf);
}

static int fell(struct branch *branch)
{
    if (!branch)
        return 0;
    int weight = branch->weight;
    weight += fell(branch->child[0]);
    weight += fell(branch->child[1]);
    free(branch);
    return weight;
}

int main(void)
{
    struct branch *root = grow(NULL, 0);
    if (!root)
        return 1;
    struct branch *left = grow(root, 0);
    grow(root, 1);
    if (left && __VERIFIER_nondet_bool())
        prune(left);
    return fell(root) < 0;
}
