//@ engines: explicit; verdict: safe
// Inserting a key that is there already: the node made in advance is lost.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *left, *right;
};

static void insert(struct node **root, int key)
{
    struct node *fresh = malloc(sizeof *fresh);
    if (!fresh)
        return;
    *fresh = (struct node){ key, NULL, NULL };
    struct node **link = root;
    while (*link) {
        if (key == (*link)->key) {
            free(fresh);
            return;
        }
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    }
    *link = fresh;
}

static void destroy(struct node *node)
{
    if (node) {
        destroy(node->left);
        destroy(node->right);
        free(node);
    }
}

int main(void)
{
    struct node *root = NULL;
    insert(&root, 2);
    insert(&root, 1);
    insert(&root, __VERIFIER_nondet_int() & 3);
    destroy(root);
    return 0;
}
