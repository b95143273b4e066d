//@ engines: overlay; verdict: unsafe
// Every cell holds the same value, and that is checked.

#include <assert.h>

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int data;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->data = 1;
        node->next = list;
        list = node;
    }
    if (list && list->next)
        list->next->data = 2;
    for (struct node *node = list; node; node = node->next)
        assert(node->data == 1); //~ assert
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
