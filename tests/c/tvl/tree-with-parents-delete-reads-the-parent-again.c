//@ engines: tvl, overlay; verdict: safe
/* The node that is unlinked is the one that was found or the next one, and its parent is read before and after ways meet. */
#include <heapwise.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
    struct tree *parent;
};

static struct tree *insert(struct tree *root, int key)
{
    struct tree *leaf = malloc(sizeof *leaf);
    if (leaf == NULL)
        abort();
    leaf->key = key;
    leaf->left = NULL;
    leaf->right = NULL;
    struct tree *above = NULL;
    struct tree *at = root;
    while (at != NULL) {
        above = at;
        at = key < at->key ? at->left : at->right;
    }
    leaf->parent = above;
    if (above == NULL)
        return leaf;
    if (key < above->key)
        above->left = leaf;
    else
        above->right = leaf;
    return root;
}

static struct tree *find(struct tree *at, int key)
{
    while (at != NULL && at->key != key)
        at = key < at->key ? at->left : at->right;
    return at;
}

static struct tree *minimum(struct tree *at)
{
    while (at->left != NULL)
        at = at->left;
    return at;
}

static struct tree *delete_node(struct tree *root, struct tree *found)
{
    struct tree *out = found;
    if (found->left != NULL && found->right != NULL)
        out = minimum(found->right);
    struct tree *child = out->left != NULL ? out->left : out->right;
    if (child != NULL)
        child->parent = out->parent;
    if (out->parent == NULL)
        root = child;
    else if (out == out->parent->left)
        out->parent->left = child;
    else
        out->parent->right = child;
    if (out != found)
        found->key = out->key;
    free(out);
    return root;
}

static void destroy(struct tree *tree)
{
    if (tree == NULL)
        return;
    destroy(tree->left);
    destroy(tree->right);
    free(tree);
}

int main(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    struct tree *found = find(root, __VERIFIER_nondet_int());
    if (found != NULL)
        root = delete_node(root, found);
    hw_assert_tree_parent(root);
    destroy(root);
    return 0;
}
