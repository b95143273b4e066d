//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

/* Whichever member is written, it is the same function. */
union action {
    void (*release)(struct node *);
    struct node *(*rest)(struct node *);
};

static struct node *rest(struct node *node)
{
    struct node *next = node->next;
    free(node);
    return next;
}

static void release(struct node *node)
{
    free(node);
}

int __VERIFIER_nondet_int(void);

int main(void)
{
    struct node *list = NULL;
    union action action;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->next = list;
        node->value = 0;
        list = node;
    }
    action.rest = rest;
    while (list && list->next)
        list = action.rest(list);
    action.release = release;
    action.release(list);
    return 0;
}
