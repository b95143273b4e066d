//@ engines: tvl; verdict: unsafe
// A treap whose rotation to the right forgets the middle subtree.
#include <stdlib.h>
#include "heapwise.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    int key, priority;
    struct node *left, *right;
};

static struct node *rotate_right(struct node *t) {
    struct node *l = t->left;
    t->left = NULL;
    l->right = t; //~ leak
    return l;
}

static struct node *rotate_left(struct node *t) {
    struct node *r = t->right;
    t->right = r->left;
    r->left = t;
    return r;
}

static struct node *insert(struct node *t, int key) {
    if (!t) {
        t = malloc(sizeof *t);
        if (!t)
            abort();
        t->key = key;
        t->priority = __VERIFIER_nondet_int();
        t->left = t->right = NULL;
        return t;
    }
    if (key < t->key) {
        t->left = insert(t->left, key);
        if (t->left->priority > t->priority)
            t = rotate_right(t);
    } else {
        t->right = insert(t->right, key);
        if (t->right->priority > t->priority)
            t = rotate_left(t);
    }
    return t;
}

static struct node *delete(struct node *t, int key) {
    if (!t)
        return NULL;
    if (key < t->key) {
        t->left = delete(t->left, key);
    } else if (key > t->key) {
        t->right = delete(t->right, key);
    } else if (!t->left) {
        struct node *right = t->right;
        free(t);
        return right;
    } else if (!t->right) {
        struct node *left = t->left;
        free(t);
        return left;
    } else if (t->left->priority > t->right->priority) {
        t = rotate_right(t);
        t->right = delete(t->right, key);
    } else {
        t = rotate_left(t);
        t->left = delete(t->left, key);
    }
    return t;
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
    t = delete(t, __VERIFIER_nondet_int());
    hw_assert_tree(t);
    destroy(t);
    return 0;
}
