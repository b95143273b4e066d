//@ engines: graph; verdict: unknown
/* A record with two links to itself: where a cell is put into the one that is not followed, nothing is claimed (and here there is an error behind it). */
#include <stdlib.h>

struct node {
    struct node *next;
    struct node *prev;
};

int main(void)
{
    struct node *first = calloc(1, sizeof *first);
    struct node *second = calloc(1, sizeof *second);
    if (first && second) {
        first->next = second;
        second->prev = first;
        free(first);
        first = NULL;
        second->prev->next = NULL;
    }
    free(first);
    free(second);
    return 0;
}
