//@ engines: tvl; verdict: unsafe
/* One subtree is forgotten where the node is freed. */
#include <heapwise.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
};

static void insert(struct tree **at, int key)
{
    if (*at == NULL) {
        *at = malloc(sizeof **at);
        if (*at == NULL)
            abort();
        (*at)->key = key;
        (*at)->left = NULL;
        (*at)->right = NULL;
    } else if (key < (*at)->key) {
        insert(&(*at)->left, key);
    } else {
        insert(&(*at)->right, key);
    }
}

static void destroy(struct tree **at)
{
    if (*at == NULL)
        return;
    destroy(&(*at)->left);
    free(*at); //~ leak
    *at = NULL;
}

int main(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        insert(&root, __VERIFIER_nondet_int());
    hw_assert_tree(root);
    destroy(&root);
    return 0;
}
