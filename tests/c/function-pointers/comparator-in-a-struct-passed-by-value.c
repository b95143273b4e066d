//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int key;
};

static void free_all(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

struct order {
    int descending;
    int (*before)(const struct node *, const struct node *);
};

static int by_key(const struct node *left, const struct node *right)
{
    return left->key < right->key;
}

static struct node *insert(struct node *list, struct node *node, struct order order)
{
    struct node **link = &list;
    while (*link && order.before(*link, node))
        link = &(*link)->next;
    node->next = *link;
    *link = node;
    return list;
}

int main(void)
{
    struct order order = { 0, by_key };
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->key = __VERIFIER_nondet_int();
        list = insert(list, node, order);
    }
    free_all(list);
    return 0;
}
