//@ engines: region; verdict: unknown
//@ args: --property heap
// `link` does not know the link `child`, which closes the cycle: both cells are lost.
#include <stdlib.h>
struct node { struct node *next, *child; };
static void link(struct node *a, struct node *b) { a->next = b; }
int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b) abort();
    a->next = a->child = b->next = b->child = NULL;
    b->child = a;
    link(a, b);
    return 0;
}
