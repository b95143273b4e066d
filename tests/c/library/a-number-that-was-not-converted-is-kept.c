//@ engines: graph, tvl, overlay, auto; verdict: unsafe
// Where the input ends, nothing is stored.
#include <stdio.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

int main(void)
{
    struct item *list = NULL;
    int more = 1;
    while (more) {
        int value;
        more = scanf("%d", &value) == 1;
        struct item *item = malloc(sizeof *item);
        if (item == NULL)
            break;
        item->value = value;
        item->next = list;
        list = item;
    }
    int sum = 0;
    while (list != NULL) {
        struct item *next = list->next;
        if (list->value > 10) //~ uninitialised
            sum++;
        free(list);
        list = next;
    }
    return sum > 2;
}
