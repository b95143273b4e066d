//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

struct sorted {
    struct node *first;
    int (*less)(const struct node *, const struct node *);
};

static int by_value(const struct node *left, const struct node *right)
{
    return left->value < right->value;
}

static void insert(struct sorted *list, struct node *node)
{
    struct node **place = &list->first;
    while (*place && list->less(*place, node))
        place = &(*place)->next;
    node->next = *place;
    *place = node;
}

int main(void)
{
    struct sorted list = { NULL, by_value };
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->value = __VERIFIER_nondet_int();
        insert(&list, node);
    }
    while (list.first) {
        struct node *next = list.first->next;
        free(list.first);
        list.first = next;
    }
    return 0;
}
