//@ engines: explicit; verdict: safe
// Appending a list to itself makes a cycle out of it.
#include "heapwise.h"
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
    int value;
};

static struct node *build(int count)
{
    struct node *list = NULL;
    for (int i = 0; i < count; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->value = i;
        node->next = list;
        list = node;
    }
    return list;
}

static struct node *concat(struct node *a, struct node *b)
{
    if (!a || a == b)
        return b;
    struct node *last = a;
    while (last->next)
        last = last->next;
    last->next = b;
    return a;
}

int main(void)
{
    struct node *a = build(2);
    struct node *b = __VERIFIER_nondet_bool() ? build(1) : a;
    a = concat(a, b);
    hw_assert_acyclic(a);
    while (a) {
        struct node *next = a->next;
        free(a);
        a = next;
    }
    return 0;
}
