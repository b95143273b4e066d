//@ engines: region; verdict: unknown
//@ args: --property heap
// Walking from one root to the last cell does not make the other one the root of another list: the ring is lost.
#include <stdlib.h>

struct node {
    struct node *next;
};

static void append(struct node *one, struct node *two) {
    struct node *last = one;
    while (last->next)
        last = last->next;
    last->next = two;
}

int main(void) {
    struct node *a = malloc(sizeof *a);
    if (!a)
        abort();
    a->next = NULL;
    append(a, a);
    return 0;
}
