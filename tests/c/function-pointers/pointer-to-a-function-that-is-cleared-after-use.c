//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *list;
static void (*at_end)(void);

static void release(void)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    at_end = NULL;
}

static void add(void)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->next = list;
    list = node;
    at_end = release;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        add();
        if (__VERIFIER_nondet_int() && at_end)
            at_end();
    }
    if (at_end)
        at_end();
    return 0;
}
