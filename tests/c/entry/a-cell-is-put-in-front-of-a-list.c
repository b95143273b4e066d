//@ engines: tvl, overlay, auto; verdict: safe
//@ args: --entry push
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int push(struct node **list, int value)
{
    struct node *cell = malloc(sizeof *cell);
    if (!cell)
        return -1;
    cell->value = value;
    cell->next = *list;
    *list = cell;
    return 0;
}
