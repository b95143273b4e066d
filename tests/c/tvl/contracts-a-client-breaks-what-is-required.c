//@ engines: tvl; verdict: unsafe
/* A list is appended to itself, and an empty one is popped: the calls are to blame, not the bodies. */
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

static struct node *append(struct node *list, struct node *tail)
{
    hw_requires("acyclic(list) && acyclic(tail) && disjoint(list, tail)");
    hw_ensures("acyclic(result)");
    hw_ensures("forall v: reach(result, v) <==> old(reach(list, v) || reach(tail, v))");
    if (!list)
        return tail;
    struct node *last = list;
    while (last->next)
        last = last->next;
    last->next = tail;
    return list;
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
    struct node *list = push(push(NULL, 1), 2);
    list = append(list, list); //~ shape
    destroy(list);
    return 0;
}
