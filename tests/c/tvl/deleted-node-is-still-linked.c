//@ engines: tvl; verdict: unsafe
/* The node before the deleted one still leads to it. */
#include <heapwise.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *node_new(int value, struct node *next)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        abort();
    node->value = value;
    node->next = next;
    return node;
}

static struct node *list_build(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = node_new(__VERIFIER_nondet_int(), list);
    return list;
}

static void list_free(struct node *list)
{
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

static struct node *delete(struct node *list, int value)
{
    struct node *before = NULL;
    struct node *at = list;
    while (at != NULL && at->value != value) {
        before = at;
        at = at->next;
    }
    if (at == NULL)
        return list;
    if (before != NULL)
        before->next = at;
    else
        list = at->next;
    free(at); //~ may leak
    return list;
}

int main(void)
{
    struct node *list = list_build();
    list = delete(list, __VERIFIER_nondet_int());
    hw_assert_acyclic(list); //~ shape
    list_free(list);
    return 0;
}
