//@ engines: tvl, overlay; verdict: safe
// The parent comes down as an argument.
#include <heapwise.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *left, *right, *parent;
};

static struct node *new_node(int key, struct node *parent) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->key = key;
    n->left = n->right = NULL;
    n->parent = parent;
    return n;
}

static struct node *insert(struct node *root, int key) {
    struct node *above = NULL, *t = root;
    while (t) {
        above = t;
        t = key < t->key ? t->left : t->right;
    }
    struct node *n = new_node(key, above);
    if (!above)
        return n;
    if (key < above->key)
        above->left = n;
    else
        above->right = n;
    return root;
}

static struct node *least(struct node *t) {
    while (t->left)
        t = t->left;
    return t;
}

static struct node *delete(struct node *t, struct node *parent, int key) {
    if (!t)
        return NULL;
    if (key < t->key) {
        t->left = delete(t->left, t, key);
    } else if (key > t->key) {
        t->right = delete(t->right, t, key);
    } else if (t->left && t->right) {
        t->key = least(t->right)->key;
        t->right = delete(t->right, t, t->key);
    } else {
        struct node *child = t->left ? t->left : t->right;
        if (child)
            child->parent = parent;
        free(t);
        return child;
    }
    return t;
}

static void free_tree(struct node *t) {
    if (!t)
        return;
    free_tree(t->left);
    free_tree(t->right);
    free(t);
}

int main(void) {
    struct node *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    root = delete(root, NULL, __VERIFIER_nondet_int());
    hw_assert_tree_parent(root);
    free_tree(root);
    return 0;
}
