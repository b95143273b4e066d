//@ engines: graph, tvl, overlay, auto; verdict: safe
// The loop ends where no number is converted; the variable has a value wherever one was.
#include <stdio.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

int main(void)
{
    struct item *list = NULL;
    int value;
    while (scanf("%d", &value) == 1) {
        struct item *item = malloc(sizeof *item);
        if (item == NULL)
            break;
        item->value = value;
        item->next = list;
        list = item;
    }
    while (list != NULL) {
        struct item *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
