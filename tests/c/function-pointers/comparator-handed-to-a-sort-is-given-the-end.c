//@ engines: graph, tvl; verdict: unsafe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int key;
};

static int ascending(const struct node *left, const struct node *right)
{
    return left->key < right->key; //~ null-deref
}

static int descending(const struct node *left, const struct node *right)
{
    return ascending(right, left);
}

static struct node *sort(struct node *list, int (*before)(const struct node *, const struct node *))
{
    struct node *sorted = NULL;
    while (list) {
        struct node *next = list->next, *previous = NULL, *at = sorted;
        while (before(at, list) && at) {
            previous = at;
            at = at->next;
        }
        list->next = at;
        if (previous)
            previous->next = list;
        else
            sorted = list;
        list = next;
    }
    return sorted;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->key = __VERIFIER_nondet_int();
        node->next = list;
        list = node;
    }
    list = sort(list, __VERIFIER_nondet_int() ? ascending : descending);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
