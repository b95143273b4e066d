//@ engines: explicit; verdict: safe
// A dummy head makes appending simple, but what is returned must be the first real node.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *count_up(int limit)
{
    struct node dummy = { -1, NULL };
    struct node *last = &dummy;
    for (int i = 0; i < limit; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->value = i;
        node->next = NULL;
        last->next = node;
        last = node;
    }
    struct node *list = dummy.next;
    return list;
}

int main(void)
{
    struct node *list = count_up(1);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
