//@ engines: tvl; verdict: safe
/* Functions that only look say so: no link of any cell is another than before. */
#include <heapwise.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *find(struct node *list, int value)
{
    hw_requires("acyclic(list)");
    hw_ensures("result == NULL || reach(list, result)");
    hw_ensures("forall v: v->next == old(v->next)");
    while (list && list->value != value)
        list = list->next;
    return list;
}

static int length(struct node *list)
{
    hw_requires("acyclic(list)");
    hw_ensures("forall v: v->next == old(v->next)");
    int n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 5; i++) {
        struct node *cell = malloc(sizeof *cell);
        if (!cell)
            break;
        cell->value = i;
        cell->next = list;
        list = cell;
    }
    int n = length(list);
    struct node *found = find(list, n);
    if (found)
        found->value = 0;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
