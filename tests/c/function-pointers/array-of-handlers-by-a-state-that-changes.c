//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *list;

static int grow(void)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 2;
    node->next = list;
    list = node;
    return __VERIFIER_nondet_int() ? 0 : 1;
}

static int shrink(void)
{
    if (!list)
        return 0;
    struct node *next = list->next;
    free(list);
    list = next;
    return __VERIFIER_nondet_int() ? 0 : 2;
}

static int finish(void)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 3;
}

static int (*const handlers[])(void) = { grow, shrink, finish };

int main(void)
{
    int state = 0;
    while (state < 3)
        state = handlers[state]();
    return 0;
}
