//@ engines: tvl; verdict: safe
/* Three lists in a loop: by contracts the client has a seventh of the structures that it has with the bodies. */
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
    struct node *a = NULL, *b = NULL, *c = NULL;
    for (int i = 0; i < 3; i++) {
        a = push(a, i);
        b = push(b, i);
        c = push(c, i);
    }
    for (int i = 0; i < 9; i++) {
        a = reverse(a);
        b = reverse(b);
        c = reverse(c);
        if (i % 2) {
            a = append(a, b);
            b = NULL;
        } else {
            b = append(b, c);
            c = NULL;
        }
        a = push(a, i);
        if (c)
            c = pop(c);
        if (a)
            insert_after(a, i);
        if (b)
            remove_after(b);
    }
    a = append(append(a, b), c);
    a = reverse(a);
    destroy(a);
    return 0;
}
