//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *(*make)(struct node *);
static void (*unmake)(struct node *);

static struct node *make_node(struct node *next)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return next;
    node->next = next;
    return node;
}

static void unmake_all(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

static void init(void)
{
    make = make_node;
    unmake = unmake_all;
}

int main(void)
{
    struct node *list = NULL;
    init();
    while (__VERIFIER_nondet_int())
        list = make(list);
    unmake(list);
    return 0;
}
