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

struct context {
    struct node *kept;
    struct node *dropped;
};

static void each(struct node *list, void (*visit)(struct node *, void *), void *context)
{
    while (list) {
        struct node *next = list->next;
        visit(list, context);
        list = next;
    }
}

static void part(struct node *node, void *data)
{
    struct context *context = data;
    if (__VERIFIER_nondet_int()) {
        node->next = context->kept;
        context->kept = node;
    } else {
        node->next = context->dropped;
        context->dropped = node;
    }
}

int main(void)
{
    struct node *list = NULL;
    struct context context = { NULL, NULL };
    while (__VERIFIER_nondet_int())
        list = push(list);
    each(list, part, &context);
    release(context.dropped);
    release(context.kept);
    return 0;
}
