//@ engines: tvl; verdict: safe
// What is left below a deleted node is joined by a recursion on both subtrees.
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

static struct node *join(struct node *left, struct node *right) {
    if (!left)
        return right;
    if (!right)
        return left;
    if (left->key % 2) {
        left->right = join(left->right, right);
        left->right->parent = left;
        return left;
    }
    right->left = join(left, right->left);
    right->left->parent = right;
    return right;
}

static struct node *delete(struct node *t, int key) {
    if (!t)
        return NULL;
    if (key < t->key) {
        t->left = delete(t->left, key);
    } else if (key > t->key) {
        t->right = delete(t->right, key);
    } else {
        struct node *joined = join(t->left, t->right);
        if (joined)
            joined->parent = t->parent;
        free(t);
        return joined;
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
