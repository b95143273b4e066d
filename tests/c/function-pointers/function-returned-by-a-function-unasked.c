//@ engines: graph, tvl; verdict: unsafe
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

typedef struct node *(*step)(struct node *);

static struct node *rest(struct node *list)
{
    struct node *next = list->next; //~ null-deref
    free(list);
    return next;
}

static struct node *more(struct node *list)
{
    return push(list, 5);
}

static step next_step(struct node *list)
{
    (void)list;
    if (__VERIFIER_nondet_int())
        return rest;
    return more;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = next_step(list)(list);
    free_all(list);
    return 0;
}
