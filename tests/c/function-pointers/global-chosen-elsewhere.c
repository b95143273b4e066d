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

static struct node *kept;

static void keep(struct node *list)
{
    kept = list;
}

static void (*finish)(struct node *);

static void choose(void)
{
    if (__VERIFIER_nondet_int())
        finish = free_all;
    else
        finish = keep;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = push(list, 1);
    choose();
    finish(list);
    free_all(kept);
    return 0;
}
