//@ engines: tvl; verdict: safe
/* The recursive call goes by the contract, like any other. */
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
    if (!list)
        return;
    struct node *rest = list->next;
    free(list);
    destroy(rest);
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 4; i++)
        list = push(list, i);
    destroy(list);
    return 0;
}
