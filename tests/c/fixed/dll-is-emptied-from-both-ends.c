//@ engines: explicit; verdict: safe
// Emptying a doubly linked list from both ends at once meets the middle node twice.
#include <stdlib.h>

struct node {
    struct node *next, *prev;
};

int main(void)
{
    struct node *first = NULL, *last = NULL;
    int length = 0;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->next = NULL;
        node->prev = last;
        if (last)
            last->next = node;
        else
            first = node;
        last = node;
        length++;
    }
    for (int i = 0; i < (length + 1) / 2; i++) {
        struct node *front = first, *back = last;
        first = front->next;
        last = back->prev;
        free(front);
        if (back != front)
            free(back);
    }
    return 0;
}
