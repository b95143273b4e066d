//@ engines: tvl; verdict: safe
/* Every link is turned; the list has the same nodes. */
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

static struct node *reverse(struct node *list)
{
    struct node *done = NULL;
    while (list != NULL) {
        struct node *rest = list->next;
        list->next = done;
        done = list;
        list = rest;
    }
    return done;
}

int main(void)
{
    struct node *list = reverse(list_build());
    hw_assert_acyclic(list);
    list_free(list);
    return 0;
}
