//@ engines: overlay; verdict: unsafe
// A ring that is freed link by link forgets its last value.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct value {
    struct value *next;
    int number;
};

struct node {
    struct node *left, *right, *parent;
    struct value *values;
    int key;
};

static struct node *root;

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        abort();
    return memory;
}

/* `values` is the last one; the first one follows it. */
static void add_value(struct node *node, int number)
{
    struct value *value = allocate(sizeof *value);
    value->number = number;
    if (node->values) {
        value->next = node->values->next;
        node->values->next = value;
    } else {
        value->next = value;
    }
    node->values = value;
}

static void add(int key, int number)
{
    struct node *parent = NULL, *node = root;
    while (node && node->key != key) {
        parent = node;
        node = key < node->key ? node->left : node->right;
    }
    if (!node) {
        node = allocate(sizeof *node);
        node->left = node->right = NULL;
        node->parent = parent;
        node->values = NULL;
        node->key = key;
        if (!parent)
            root = node;
        else if (key < parent->key)
            parent->left = node;
        else
            parent->right = node;
    }
    add_value(node, number);
}

static void destroy(struct node *node)
{
    if (!node)
        return;
    destroy(node->left);
    destroy(node->right);
    struct value *value = node->values->next;
    while (value != node->values) {
        struct value *next = value->next;
        free(value);
        value = next;
    }
    free(node);
} //~ leak

int main(void)
{
    while (__VERIFIER_nondet_int())
        add(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
    destroy(root);
    return 0;
}
