//@ engines: tvl; verdict: unsafe
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
        struct node *next = list->next; //~ use-after-free
        free(list);
        list = next;
    }
}

struct handler {
    struct handler *next;
    void (*handle)(struct node **list);
};

static void add(struct node **list)
{
    *list = push(*list);
}

static void empty(struct node **list)
{
    release(*list);
}

static struct handler *enter(struct handler *handlers, void (*handle)(struct node **))
{
    struct handler *handler = malloc(sizeof *handler);
    if (!handler)
        return handlers;
    handler->handle = handle;
    handler->next = handlers;
    return handler;
}

int main(void)
{
    struct node *list = NULL;
    struct handler *handlers = enter(enter(NULL, add), empty);
    while (__VERIFIER_nondet_int())
        for (struct handler *handler = handlers; handler; handler = handler->next)
            handler->handle(&list);
    while (handlers) {
        struct handler *next = handlers->next;
        free(handlers);
        handlers = next;
    }
    release(list);
    return 0;
}
