//@ engines: overlay; verdict: safe
//@ engines: graph, tvl; verdict: unknown
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

struct callback {
    int has_context;
    union {
        void (*plain)(struct node *);
        void (*with_context)(struct node *, struct node **);
    } call;
};

static void drop(struct node *node)
{
    free(node);
}

static void move(struct node *node, struct node **to)
{
    node->next = *to;
    *to = node;
}

static void each(struct node *list, struct callback callback, struct node **context)
{
    while (list) {
        struct node *next = list->next;
        if (callback.has_context)
            callback.call.with_context(list, context);
        else
            callback.call.plain(list);
        list = next;
    }
}

int main(void)
{
    struct node *list = NULL, *moved = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->next = list;
        list = node;
    }
    struct callback mover = { 1, { .with_context = move } };
    struct callback dropper = { 0, { .plain = drop } };
    each(list, mover, &moved);
    each(moved, dropper, NULL);
    return 0;
}
