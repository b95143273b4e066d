//@ engines: explicit; verdict: safe
// A small code tree over a table of leaves: who owns the leaves?
#include <stdlib.h>

enum { LEAVES = 3 };

struct node {
    int weight;
    struct node *zero, *one;
};

static struct node *join(struct node *zero, struct node *one)
{
    struct node *node = malloc(sizeof *node);
    if (node)
        *node = (struct node){ zero->weight + one->weight, zero, one };
    return node;
}

static void destroy(struct node *node)
{
    if (!node)
        return;
    destroy(node->zero);
    destroy(node->one);
    free(node);
}

int main(void)
{
    struct node *leaf[LEAVES] = { NULL };
    struct node *inner = NULL, *root = NULL;
    for (int i = 0; i < LEAVES; i++) {
        leaf[i] = calloc(1, sizeof *leaf[i]);
        if (!leaf[i])
            goto out;
        leaf[i]->weight = i + 1;
    }
    inner = join(leaf[0], leaf[1]);
    if (!inner)
        goto out;
    root = join(inner, leaf[2]);
    if (root) {
        destroy(root);
        return 0;
    }
out:
    free(inner);
    for (int i = 0; i < LEAVES; i++)
        free(leaf[i]);
    return 0;
}
