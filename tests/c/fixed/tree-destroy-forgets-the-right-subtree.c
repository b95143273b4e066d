//@ engines: explicit; verdict: safe
// Post-order destruction that visits only one side.
#include <stdlib.h>

struct node {
    int key;
    struct node *left, *right;
};

static void insert(struct node **link, int key)
{
    while (*link)
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    *link = calloc(1, sizeof **link);
    if (*link)
        (*link)->key = key;
}

static void destroy(struct node *node)
{
    if (!node)
        return;
    destroy(node->left);
    destroy(node->right);
    free(node);
}

int main(void)
{
    static const int keys[] = { 4, 2, 6, 5 };
    struct node *root = NULL;
    for (int i = 0; i < 4; i++)
        insert(&root, keys[i]);
    destroy(root);
    return 0;
}
