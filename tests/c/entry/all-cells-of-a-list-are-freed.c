//@ engines: graph, tvl, overlay, auto; verdict: safe
//@ args: --entry drop
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

void drop(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}
