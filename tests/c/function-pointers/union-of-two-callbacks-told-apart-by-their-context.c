//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

struct callback {
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
        if (context)
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
    struct callback mover = { { .with_context = move } };
    struct callback dropper = { { .plain = drop } };
    each(list, mover, &moved);
    each(moved, dropper, NULL);
    return 0;
}
