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

static void release(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

static struct node *list;
static void (*now)(void), (*then)(void);

static void exchange(void)
{
    void (*other)(void) = now;
    now = then;
    then = other;
}

static void fill(void)
{
    while (__VERIFIER_nondet_int())
        list = push(list);
    exchange();
}

static void empty(void)
{
    release(list);
    list = NULL;
    exchange();
}

int main(void)
{
    now = fill;
    then = empty;
    while (__VERIFIER_nondet_int())
        now();
    if (now == empty)
        now();
    return 0;
}
