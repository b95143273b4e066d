//@ engines: tvl; verdict: safe
/* One list is hung behind another. */
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

static struct node *append(struct node *first, struct node *second)
{
    if (first == NULL)
        return second;
    struct node *last = first;
    while (last->next != NULL)
        last = last->next;
    last->next = second;
    return first;
}

int main(void)
{
    struct node *first = list_build();
    struct node *second = list_build();
    struct node *list = append(first, second);
    hw_assert_acyclic(list);
    hw_assert_reach(list, second);
    list_free(list);
    return 0;
}
