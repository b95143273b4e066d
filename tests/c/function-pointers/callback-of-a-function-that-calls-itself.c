//@ engines: tvl; verdict: safe
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

static void visit(struct node *node, void (*action)(struct node *))
{
    if (!node)
        return;
    visit(node->next, action);
    action(node);
}

static void release(struct node *node)
{
    free(node);
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = push(list);
    visit(list, release);
    return 0;
}
