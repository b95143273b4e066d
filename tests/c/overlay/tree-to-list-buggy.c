//@ engines: overlay; verdict: unsafe
// The nodes of a tree become a list, one after the other.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *left, *right;
    int key;
};

static struct node *insert(struct node *root, int key)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return root;
    node->left = node->right = NULL;
    node->key = key;
    struct node **link = &root;
    while (*link)
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    *link = node;
    return root;
}

static struct node *flatten(struct node *node, struct node *rest)
{
    if (!node)
        return rest;
    node->right = rest; //~ leak
    struct node *left = node->left;
    node->left = NULL;
    return flatten(left, node);
}

int main(void)
{
    struct node *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    struct node *list = flatten(root, NULL); //~ may leak
    while (list) {
        struct node *next = list->right;
        free(list); //~ may leak
        list = next;
    }
    return 0; //~ may leak
}
