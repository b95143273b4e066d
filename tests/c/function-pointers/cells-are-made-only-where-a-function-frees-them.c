//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *push(struct node *list)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return list;
    node->next = list;
    return node;
}

static void free_all(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

static void (*at_end)(struct node *);

int main(void)
{
    struct node *list = NULL;
    if (__VERIFIER_nondet_int())
        at_end = free_all;
    while (at_end && __VERIFIER_nondet_int())
        list = push(list);
    if (at_end)
        at_end(list);
    return 0;
}
