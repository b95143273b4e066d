//@ engines: explicit; verdict: safe
// Prepending returns the new head, or null when it fails; the caller stores it without looking.
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *prepend(struct node *list)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return NULL;
    node->next = list;
    return node;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 2; i++) {
        struct node *longer = prepend(list);
        if (longer)
            list = longer;
    }
    while (list) {
        struct node *rest = list->next;
        free(list);
        list = rest;
    }
    return 0;
}
