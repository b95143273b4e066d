//@ engines: region; verdict: unknown
//@ args: --property heap
// Each cell is referred to by its neighbours, and by nothing else.
#include <stdlib.h>

struct node {
    struct node *next, *prev;
};

int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b)
        abort();
    a->next = b;
    a->prev = b;
    b->next = a;
    b->prev = a;
    return 0;
}
