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

struct list_ops {
    struct node *(*push)(struct node *, int);
    void (*destroy)(struct node *);
};

static const struct list_ops quick = { push, free_all };
static const struct list_ops partial = { push, NULL };

static void run(const struct list_ops *ops)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = ops->push(list, 1);
    ops->destroy(list); //~ null-deref
}

int main(void)
{
    run(&quick);
    run(&partial);
    return 0;
}
