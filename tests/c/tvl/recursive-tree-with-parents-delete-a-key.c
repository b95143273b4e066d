//@ engines: tvl; verdict: safe
// Deletion by recursion; the caller sets the parent of what comes back, and so did the callee.
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

static struct node *delete(struct node *t, int key) {
    if (!t)
        return NULL;
    if (key < t->key) {
        t->left = delete(t->left, key);
        if (t->left)
            t->left->parent = t;
    } else if (key > t->key) {
        t->right = delete(t->right, key);
        if (t->right)
            t->right->parent = t;
    } else {
        if (!t->left) {
            struct node *right = t->right;
            if (right)
                right->parent = t->parent;
            free(t);
            return right;
        }
        if (!t->right) {
            struct node *left = t->left;
            left->parent = t->parent;
            free(t);
            return left;
        }
        t->key = least(t->right)->key;
        t->right = delete(t->right, t->key);
        if (t->right)
            t->right->parent = t;
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
    root = delete(root, __VERIFIER_nondet_int());
    hw_assert_tree_parent(root);
    free_tree(root);
    return 0;
}
