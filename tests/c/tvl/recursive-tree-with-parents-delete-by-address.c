//@ engines: tvl, overlay; verdict: safe
// The link above is given by its address, the one back is handed on.
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

static void delete(struct node **place, int key) {
    struct node *t = *place;
    if (!t)
        return;
    if (key < t->key) {
        delete(&t->left, key);
    } else if (key > t->key) {
        delete(&t->right, key);
    } else if (t->left && t->right) {
        t->key = least(t->right)->key;
        delete(&t->right, t->key);
    } else {
        struct node *child = t->left ? t->left : t->right;
        if (child)
            child->parent = t->parent;
        *place = child;
        free(t);
    }
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
    delete(&root, __VERIFIER_nondet_int());
    hw_assert_tree_parent(root);
    free_tree(root);
    return 0;
}
