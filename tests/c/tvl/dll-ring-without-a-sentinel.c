//@ engines: tvl; verdict: safe
/* A ring of nodes linked both ways: new nodes go before the first, and the old last node is found through the first twice. */
#include <heapwise.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *prev;
};

int main(void)
{
    struct node *first = malloc(sizeof *first);
    if (first == NULL)
        abort();
    first->next = first;
    first->prev = first;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            abort();
        node->next = first;
        node->prev = first->prev;
        first->prev->next = node;
        first->prev = node;
    }
    hw_assert_dll(first);
    while (first->next != first) {
        struct node *node = first->next;
        node->prev->next = node->next;
        node->next->prev = node->prev;
        free(node);
    }
    hw_assert_cyclic_by(first, prev);
    free(first);
    return 0;
}
