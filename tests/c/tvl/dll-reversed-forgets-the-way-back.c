//@ engines: tvl; verdict: unsafe
// Every node swaps its links. Half-way through a node, the rest of the list is reached by the way back alone.
#include <stdlib.h>
#include "heapwise.h"

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next, *prev;
};

static struct node *push(struct node *head, int value) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->value = value;
    n->prev = NULL;
    n->next = head;
    if (head)
        head->prev = n;
    return n;
}

static struct node *reverse(struct node *head) {
    struct node *last = NULL;
    while (head) {
        struct node *swap = head->prev;
        struct node *rest = head->next;
        head->next = swap;
        last = head;
        head = rest;
    }
    return last;
}

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = push(list, 1);
    hw_assert_dll(list);
    list = reverse(list);
    hw_assert_dll(list); //~ shape
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
