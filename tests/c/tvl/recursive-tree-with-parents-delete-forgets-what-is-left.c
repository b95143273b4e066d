//@ engines: tvl; verdict: unsafe
// The successor does not get the left subtree, whose nodes are lost.
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

static struct node *take_least(struct node *t, struct node **taken) {
    if (!t->left) {
        struct node *right = t->right;
        if (right)
            right->parent = t->parent;
        *taken = t;
        return right;
    }
    t->left = take_least(t->left, taken);
    return t;
}

static struct node *delete(struct node *t, int key) {
    if (!t)
        return NULL;
    if (key < t->key) {
        t->left = delete(t->left, key);
        return t;
    }
    if (key > t->key) {
        t->right = delete(t->right, key);
        return t;
    }
    struct node *parent = t->parent, *left = t->left, *right = t->right, *top;
    free(t);
    if (!left || !right) {
        top = left ? left : right;
    } else {
        right = take_least(right, &top);
        left->parent = top;
        top->right = right;
        if (right)
            right->parent = top;
    }
    if (top)
        top->parent = parent;
    return top; //~ leak
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
