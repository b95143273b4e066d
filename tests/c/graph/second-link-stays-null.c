//@ engines: graph; verdict: safe
/* A record with two links to itself: the one that the program goes along is followed, and no cell is put into the other one. */
#include <stdlib.h>

struct node {
    struct node *parent;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 5; i++) {
        struct node *node = calloc(1, sizeof *node);
        if (!node)
            break;
        node->parent = NULL;
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
