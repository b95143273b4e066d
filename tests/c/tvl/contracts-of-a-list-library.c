//@ engines: tvl; verdict: safe
/* Seven functions of a list library, each checked once against its contract; the client is checked by contracts alone. */
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

static struct node *reverse(struct node *list)
{
    hw_requires("acyclic(list)");
    hw_ensures("acyclic(result)");
    hw_ensures("forall v: reach(result, v) <==> old(reach(list, v))");
    struct node *done = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

static void insert_after(struct node *place, int value)
{
    hw_requires("place && acyclic(place)");
    hw_ensures("acyclic(place)");
    hw_ensures("forall v: old(reach(place, v)) ==> reach(place, v)");
    hw_ensures("forall v: reach(place, v) ==> old(reach(place, v)) || fresh(v)");
    struct node *cell = malloc(sizeof *cell);
    if (!cell)
        return;
    cell->value = value;
    cell->next = place->next;
    place->next = cell;
}

static void remove_after(struct node *place)
{
    hw_requires("place && acyclic(place)");
    hw_ensures("acyclic(place)");
    hw_ensures("forall v: old(reach(place, v)) ==> reach(place, v) || freed(v)");
    hw_ensures("forall v: reach(place, v) ==> old(reach(place, v))");
    struct node *cell = place->next;
    if (!cell)
        return;
    place->next = cell->next;
    free(cell);
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
    struct node *list = NULL, *other = NULL;
    for (int i = 0; i < 3; i++)
        list = push(list, i);
    for (int i = 0; i < 5; i++)
        other = push(other, i);
    list = reverse(list);
    list = append(list, other);
    if (list) {
        insert_after(list, 7);
        remove_after(list);
    }
    if (list)
        list = pop(list);
    destroy(list);
    return 0;
}
