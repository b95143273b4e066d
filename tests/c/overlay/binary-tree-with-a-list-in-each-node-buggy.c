//@ engines: overlay; verdict: unsafe
// Every node of a search tree owns a list of values.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct value {
    int number;
    struct value *next;
};

struct node {
    int key;
    struct value *values;
    struct node *left, *right;
};

static struct node *insert(struct node *root, int key, int number)
{
    struct value *value = malloc(sizeof *value);
    if (!value)
        abort();
    value->number = number;
    value->next = NULL;
    struct node **link = &root;
    while (*link) {
        if ((*link)->key == key) {
            value->next = (*link)->values;
            (*link)->values = value;
            return root;
        }
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    }
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->key = key;
    node->values = NULL;
    node->left = node->right = NULL;
    *link = node;
    return root; //~ leak
}

static void release(struct node *node)
{
    if (!node)
        return;
    release(node->left);
    release(node->right);
    while (node->values) {
        struct value *next = node->values->next;
        free(node->values);
        node->values = next;
    }
    free(node);
}

int main(void)
{
    struct node *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int(), 1);
    release(root);
    return 0;
}
