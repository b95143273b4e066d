//@ engines: explicit; verdict: safe
// Insertion in the middle of a doubly linked list writes three of the four links.
#include "heapwise.h"
#include <stdlib.h>

struct node {
    struct node *next;
    struct node *prev;
};

static _Bool insert_after(struct node *position)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    node->prev = position;
    node->next = position->next;
    if (position->next)
        position->next->prev = node;
    position->next = node;
    return 1;
}

int main(void)
{
    struct node *list = calloc(1, sizeof *list);
    if (!list)
        return 1;
    insert_after(list);
    insert_after(list);
    hw_assert_dll(list);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
