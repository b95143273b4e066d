//@ engines: tvl; verdict: unknown
/* A contract that does not speak of freed cells promises that none is. */
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

static struct node *drop(struct node *list)
{
    hw_requires("list && acyclic(list)");
    hw_ensures("acyclic(result)");
    hw_ensures("forall v: reach(result, v) <==> old(reach(list, v)) && v != list");
    struct node *rest = list->next;
    free(list);
    return rest; //~ shape
}

int main(void)
{
    struct node *list = push(NULL, 1);
    while (list)
        list = drop(list); //~ may leak
    return 0;
}
