//@ engines: explicit; verdict: unsafe
// The first node's link is only written when a second one follows.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *from_array(const int *values, int count)
{
    struct node *first = NULL, *last = NULL;
    for (int i = 0; i < count; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->value = values[i];
        if (last)
            last->next = node;
        else
            first = node;
        last = node;
    }
    return first;
}

int main(void)
{
    static const int values[] = { 3, 1, 4 };
    struct node *list = from_array(values, 3);
    while (list) { //~ uninitialised
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
