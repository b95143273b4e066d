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

static struct node *cache;
static void (*at_end)(void);

static void empty_cache(void)
{
    release(cache);
    cache = NULL;
}

static void remember(void)
{
    cache = push(cache);
    at_end = empty_cache;
}

static void finish(void)
{
    void (*hook)(void) = at_end;
    at_end = NULL;
    if (hook)
        hook();
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        remember();
        if (__VERIFIER_nondet_int())
            finish();
    }
    finish();
    return 0;
}
