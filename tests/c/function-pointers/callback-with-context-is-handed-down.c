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

struct context {
    struct node *last;
};

static void visit(struct node *node, struct context *context)
{
    context->last = node;
}

static void walk(struct node *list, void (*callback)(struct node *, struct context *), struct context *context)
{
    for (; list; list = list->next)
        callback(list, context);
}

static void all(struct node *list, void (*callback)(struct node *, struct context *), struct context *context)
{
    walk(list, callback, context);
}

int main(void)
{
    struct context context = { NULL };
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = push(list, 1);
    all(list, visit, &context);
    if (context.last)
        context.last->value = 2;
    free_all(list);
    return 0;
}
