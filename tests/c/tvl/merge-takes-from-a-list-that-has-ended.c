//@ engines: tvl; verdict: unsafe
/* The left list is taken from although only the right one has nodes. */
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

static struct node *merge(struct node *left, struct node *right)
{
    struct node *merged = NULL;
    struct node *last = NULL;
    while (left != NULL || right != NULL) {
        struct node *taken;
        if (right == NULL || __VERIFIER_nondet_int()) {
            taken = left;
            left = left->next; //~ null-deref
        } else {
            taken = right;
            right = right->next;
        }
        if (last == NULL)
            merged = taken;
        else
            last->next = taken;
        last = taken;
    }
    return merged;
}

int main(void)
{
    struct node *left = list_build();
    struct node *right = list_build();
    hw_assert_disjoint(left, right);
    struct node *list = merge(left, right);
    hw_assert_acyclic(list);
    list_free(list);
    return 0;
}
