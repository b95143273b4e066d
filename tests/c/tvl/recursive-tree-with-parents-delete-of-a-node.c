//@ engines: tvl, overlay; verdict: safe
// A node is unlinked from its parent; one with two children is overwritten by the next one, which is deleted instead.
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

static void free_tree(struct node *t) {
    if (!t)
        return;
    free_tree(t->left);
    free_tree(t->right);
    free(t);
}

static struct node *root;

static void delete(struct node *t) {
    if (t->left && t->right) {
        struct node *next = least(t->right);
        t->key = next->key;
        delete(next);
        return;
    }
    struct node *child = t->left ? t->left : t->right;
    if (child)
        child->parent = t->parent;
    if (!t->parent)
        root = child;
    else if (t->parent->left == t)
        t->parent->left = child;
    else
        t->parent->right = child;
    free(t);
}

int main(void) {
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    struct node *t = root;
    while (t && __VERIFIER_nondet_int())
        t = __VERIFIER_nondet_int() ? t->left : t->right;
    if (t)
        delete(t);
    hw_assert_tree_parent(root);
    free_tree(root);
    return 0;
}
