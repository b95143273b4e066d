//@ engines: tvl; verdict: safe
// A splay tree: the way down goes two levels at a time, and links of grandchildren get what a call returns.
#include <stdlib.h>
#include "heapwise.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *left, *right;
};

static struct node *rotate_right(struct node *x) {
    struct node *y = x->left;
    x->left = y->right;
    y->right = x;
    return y;
}

static struct node *rotate_left(struct node *x) {
    struct node *y = x->right;
    x->right = y->left;
    y->left = x;
    return y;
}

static struct node *splay(struct node *t, int key) {
    if (!t || t->key == key)
        return t;
    if (key < t->key) {
        if (!t->left)
            return t;
        if (key < t->left->key) {
            t->left->left = splay(t->left->left, key);
            t = rotate_right(t);
        } else if (key > t->left->key) {
            t->left->right = splay(t->left->right, key);
            if (t->left->right)
                t->left = rotate_left(t->left);
        }
        return t->left ? rotate_right(t) : t;
    }
    if (!t->right)
        return t;
    if (key < t->right->key) {
        t->right->left = splay(t->right->left, key);
        if (t->right->left)
            t->right = rotate_right(t->right);
    } else if (key > t->right->key) {
        t->right->right = splay(t->right->right, key);
        t = rotate_left(t);
    }
    return t->right ? rotate_left(t) : t;
}

static struct node *insert(struct node *t, int key) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->key = key;
    n->left = n->right = NULL;
    if (!t)
        return n;
    t = splay(t, key);
    if (t->key == key) {
        free(n);
        return t;
    }
    if (key < t->key) {
        n->right = t;
        n->left = t->left;
        t->left = NULL;
    } else {
        n->left = t;
        n->right = t->right;
        t->right = NULL;
    }
    return n;
}

static void destroy(struct node *t) {
    if (t) {
        destroy(t->left);
        destroy(t->right);
        free(t);
    }
}

int main(void) {
    struct node *t = NULL;
    while (__VERIFIER_nondet_int())
        t = insert(t, __VERIFIER_nondet_int());
    hw_assert_tree(t);
    destroy(t);
    return 0;
}
