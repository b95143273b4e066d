//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *list, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return list;
    node->next = list;
    node->value = value;
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

int main(void)
{
    void (*done)(struct node *) = NULL;
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = push(list, 1);
    if (__VERIFIER_nondet_int())
        done = free_all;
    if (done)
        done(list);
    else
        free_all(list);
    return 0;
}
