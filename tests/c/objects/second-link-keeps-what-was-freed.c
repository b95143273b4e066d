//@ engines: explicit, tvl; verdict: unsafe
/* The link that is not followed holds a cell that was freed: what reads it fails. */
#include <stdlib.h>

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

int main(void)
{
    struct node *first = calloc(1, sizeof *first);
    struct node *second = calloc(1, sizeof *second);
    if (!first || !second) {
        free(first);
        free(second);
        return 0;
    }
    second->prev = first;
    for (struct node *node = second; node; node = node->next)
        node->value = 1;
    free(first);
    int value = second->prev->value; //~ use-after-free
    free(second);
    return value;
}
