//@ engines: tvl; verdict: unsafe
// A balanced tree with parents: the parent is read from the node that was freed.
#include <stdlib.h>
#include "heapwise.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    int key, height;
    struct node *left, *right, *parent;
};

static int height(struct node *t) {
    return t ? t->height : 0;
}

static void update(struct node *t) {
    int l = height(t->left), r = height(t->right);
    t->height = 1 + (l > r ? l : r);
}

static struct node *rotate_right(struct node *y) {
    struct node *x = y->left;
    y->left = x->right;
    if (y->left)
        y->left->parent = y;
    x->right = y;
    x->parent = y->parent;
    y->parent = x;
    update(y);
    update(x);
    return x;
}

static struct node *rotate_left(struct node *x) {
    struct node *y = x->right;
    x->right = y->left;
    if (x->right)
        x->right->parent = x;
    y->left = x;
    y->parent = x->parent;
    x->parent = y;
    update(x);
    update(y);
    return y;
}

static struct node *insert(struct node *t, struct node *parent, int key) {
    if (!t) {
        t = malloc(sizeof *t);
        if (!t)
            abort();
        t->key = key;
        t->height = 1;
        t->left = t->right = NULL;
        t->parent = parent;
        return t;
    }
    if (key < t->key) {
        t->left = insert(t->left, t, key);
        if (t->left->height - height(t->right) > 1)
            return rotate_right(t);
    } else {
        t->right = insert(t->right, t, key);
        if (t->right->height - height(t->left) > 1)
            return rotate_left(t);
    }
    update(t);
    return t;
}

static struct node *delete(struct node *t, int key) {
    if (!t)
        return NULL;
    if (key < t->key) {
        t->left = delete(t->left, key);
    } else if (key > t->key) {
        t->right = delete(t->right, key);
    } else if (!t->left || !t->right) {
        struct node *child = t->left ? t->left : t->right;
        free(t);
        if (child)
            child->parent = t->parent; //~ use-after-free
        return child;
    } else {
        struct node *least = t->right;
        while (least->left)
            least = least->left;
        t->key = least->key;
        t->right = delete(t->right, least->key);
    }
    update(t);
    if (t->left && height(t->left) - height(t->right) > 1)
        return rotate_right(t);
    if (t->right && height(t->right) - height(t->left) > 1)
        return rotate_left(t);
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
        t = insert(t, NULL, __VERIFIER_nondet_int());
    hw_assert_tree_parent(t);
    t = delete(t, __VERIFIER_nondet_int());
    hw_assert_tree_parent(t);
    destroy(t);
    return 0;
}
