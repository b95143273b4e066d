//@ engines: explicit; verdict: safe
// A right rotation that drops the order of a binary search tree: the middle subtree goes to the wrong side.
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *left, *right;
};

static struct node *make(int key, struct node *left, struct node *right)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        exit(1);
    *node = (struct node){ key, left, right };
    return node;
}

static struct node *rotate_right(struct node *root)
{
    struct node *pivot = root->left;
    root->left = pivot->right;
    pivot->right = root;
    return pivot;
}

static _Bool ordered(const struct node *node, int low, int high)
{
    if (!node)
        return 1;
    return low < node->key && node->key < high && ordered(node->left, low, node->key)
        && ordered(node->right, node->key, high);
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
    struct node *root = make(8, NULL, make(9, NULL, NULL));
    root->left = make(4, make(2, NULL, NULL), make(6, NULL, NULL));
    root = rotate_right(root);
    assert(ordered(root, INT_MIN, INT_MAX));
    destroy(root);
    return 0;
}
