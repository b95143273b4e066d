//@ engines: explicit; verdict: unsafe
// A tree whose new nodes get one child link cleared and not the other.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *left;
    struct node *right;
};

static struct node *leaf(int key)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return NULL;
    node->key = key;
    node->left = NULL;
    return node;
}

static struct node *insert(struct node *node, int key)
{
    if (!node) //~ uninitialised
        return leaf(key);
    if (key < node->key)
        node->left = insert(node->left, key);
    else
        node->right = insert(node->right, key);
    return node;
}

static void destroy(struct node *node)
{
    if (!node)
        return;
    destroy(node->left);
    if (node->key > 10)
        destroy(node->right);
    free(node);
}

int main(void)
{
    struct node *root = insert(NULL, 2);
    root = insert(root, __VERIFIER_nondet_int() & 1 ? 3 : 1);
    destroy(root);
    return 0;
}
