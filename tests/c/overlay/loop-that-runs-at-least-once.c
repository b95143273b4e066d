//@ engines: overlay; verdict: safe
// A loop over a constant number of cells: the first iteration sets what later ones use.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int i;
    struct node *next, *prev;
};

int main(void)
{
    struct node *first, *last;
    for (int i = 0; i < 20; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            exit(1);
        node->i = i;
        node->next = NULL;
        if (i == 0) {
            node->prev = NULL;
            first = node;
        } else {
            node->prev = last;
            last->next = node;
        }
        last = node;
    }
    while (first) {
        last = first->next;
        free(first);
        first = last;
    }
    return 0;
}
