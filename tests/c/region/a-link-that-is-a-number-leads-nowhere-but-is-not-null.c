//@ engines: region; verdict: unsafe
//@ args: --property heap
// `prev` leads to no cell, and yet the branch is taken.
#include <stdlib.h>

struct node {
    struct node *next, *prev;
};

int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b)
        abort();
    a->next = b;
    b->prev = a;
    b->next = NULL;
    a->next = NULL;
    free(b);
    a->prev = (struct node *)1;
    if (a->prev)
        return 0; //~ leak
    free(a);
    return 0;
}
