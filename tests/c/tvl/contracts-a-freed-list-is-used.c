//@ engines: tvl; verdict: unsafe
/* The contract of destroy alone says that the list is gone. */
#include <heapwise.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *list, int value)
{
    hw_requires("acyclic(list)");
    hw_ensures("acyclic(result)");
    hw_ensures("result == list || fresh(result) && result->next == list");
    hw_ensures("forall v: reach(result, v) <==> old(reach(list, v)) || v == result");
    struct node *cell = malloc(sizeof *cell);
    if (!cell)
        return list;
    cell->value = value;
    cell->next = list;
    return cell;
}

static void destroy(struct node *list)
{
    hw_requires("acyclic(list)");
    hw_ensures("forall v: old(reach(list, v)) ==> freed(v)");
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *list = push(NULL, 1);
    if (!list)
        return 0;
    destroy(list);
    return list->value; //~ use-after-free
}
