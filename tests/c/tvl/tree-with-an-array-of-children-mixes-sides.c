//@ engines: tvl; verdict: unsafe
/* The subtree in between goes to the wrong side. */
#include <heapwise.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *child[2];
};

static struct tree *insert(struct tree *root, int key)
{
    struct tree **at = &root;
    while (*at != NULL) {
        if ((*at)->key == key)
            return root;
        at = &(*at)->child[(*at)->key < key];
    }
    *at = malloc(sizeof **at);
    if (*at == NULL)
        abort();
    (*at)->key = key;
    (*at)->child[0] = NULL;
    (*at)->child[1] = NULL;
    return root;
}

static struct tree *rotate(struct tree *root, int side)
{
    struct tree *top = root->child[!side];
    root->child[!side] = top->child[!side];
    top->child[side] = root; //~ leak
    return top;
}

static struct tree *rotate_twice(struct tree *root, int side)
{
    int other = 1 - side;
    root->child[other] = rotate(root->child[other], other);
    return rotate(root, side);
}

static void destroy(struct tree *tree)
{
    if (tree == NULL)
        return;
    destroy(tree->child[0]);
    destroy(tree->child[1]);
    free(tree);
}

int main(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    int side = __VERIFIER_nondet_int() > 0;
    if (root != NULL && root->child[!side] != NULL) {
        if (root->child[!side]->child[side] != NULL)
            root = rotate_twice(root, side);
        else
            root = rotate(root, side);
    }
    hw_assert_tree(root); //~ shape
    destroy(root);
    return 0;
}
