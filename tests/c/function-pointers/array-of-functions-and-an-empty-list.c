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

static struct node *drop(struct node *list, int value)
{
    struct node *next;
    (void)value;
    next = list->next; //~ null-deref
    free(list);
    return next;
}

static struct node *(*const steps[2])(struct node *, int) = { push, drop };

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        int which = 0;
        if (__VERIFIER_nondet_int())
            which = 1;
        list = steps[which](list, 3);
    }
    while (list)
        list = drop(list, 0);
    return 0;
}
