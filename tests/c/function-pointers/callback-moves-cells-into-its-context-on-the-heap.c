//@ engines: tvl; verdict: safe
//@ engines: graph; verdict: unknown
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

struct context {
    struct node *kept;
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

static void keep(struct context *context, struct node *node)
{
    node->next = context->kept;
    context->kept = node;
}

static void each(struct node *list, void (*visit)(struct context *, struct node *), struct context *context)
{
    while (list) {
        struct node *next = list->next;
        visit(context, list);
        list = next;
    }
}

int main(void)
{
    struct context *context = malloc(sizeof *context);
    if (!context)
        return 1;
    context->kept = NULL;
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = push(list);
    each(list, keep, context);
    free_all(context->kept);
    free(context);
    return 0;
}
