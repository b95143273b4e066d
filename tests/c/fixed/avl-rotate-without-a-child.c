//@ engines: explicit; verdict: safe
// A left rotation needs a right child; the balance is checked by height, but the heights are compared the wrong way round.
#include <stdlib.h>

struct avl {
    int key, height;
    struct avl *left, *right;
};

static int height(const struct avl *node)
{
    return node ? node->height : 0;
}

static void update(struct avl *node)
{
    int left = height(node->left), right = height(node->right);
    node->height = 1 + (left > right ? left : right);
}

static struct avl *rotate_left(struct avl *node)
{
    struct avl *pivot = node->right;
    node->right = pivot->left;
    pivot->left = node;
    update(node);
    update(pivot);
    return pivot;
}

static struct avl *insert(struct avl *node, struct avl *fresh)
{
    if (!node)
        return fresh;
    if (fresh->key < node->key)
        node->left = insert(node->left, fresh);
    else
        node->right = insert(node->right, fresh);
    update(node);
    if (height(node->right) - height(node->left) > 1)
        return rotate_left(node);
    return node;
}

static void destroy(struct avl *node)
{
    if (node) {
        destroy(node->left);
        destroy(node->right);
        free(node);
    }
}

int main(void)
{
    static const int keys[] = { 5, 3, 1, 7 };
    struct avl *root = NULL;
    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct avl *fresh = malloc(sizeof *fresh);
        if (!fresh)
            break;
        *fresh = (struct avl){ keys[i], 1, NULL, NULL };
        root = insert(root, fresh);
    }
    destroy(root);
    return 0;
}
