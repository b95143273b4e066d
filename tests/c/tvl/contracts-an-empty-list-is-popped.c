//@ engines: tvl; verdict: unsafe
/* Allocation may fail: then there is nothing to pop. */
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

static struct node *pop(struct node *list)
{
    hw_requires("list && acyclic(list)");
    hw_ensures("freed(list) && acyclic(result)");
    hw_ensures("forall v: reach(result, v) <==> old(reach(list, v)) && v != list");
    struct node *rest = list->next;
    free(list);
    return rest;
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
    list = pop(list); //~ shape
    destroy(list);
    return 0;
}
