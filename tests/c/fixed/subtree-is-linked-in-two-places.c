//@ engines: explicit; verdict: safe
// Moving a subtree without unlinking it from its old parent: no longer a tree.
#include "heapwise.h"
#include <stdlib.h>

struct node {
    struct node *left;
    struct node *right;
};

static struct node *make(void)
{
    return calloc(1, sizeof(struct node));
}

static void move_left_down(struct node *root)
{
    struct node *moved = root->left;
    if (!moved || !root->right || root->right->left)
        return;
    root->right->left = moved;
    root->left = NULL;
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
    struct node *root = make();
    if (!root)
        return 1;
    root->left = make();
    root->right = make();
    move_left_down(root);
    hw_assert_tree(root);
    destroy(root);
    return 0;
}
