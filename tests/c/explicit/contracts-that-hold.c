//@ engines: explicit; verdict: safe
/* Contracts are checked wherever a function is called and returns: old values, all cells, fresh and freed ones. */
#include <heapwise.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *list, int value)
{
    hw_requires("acyclic(list)");
    hw_ensures("result == list || fresh(result) && result->next == list");
    hw_ensures("forall v: reach(result, v) <==> old(reach(list, v)) || v == result && result != NULL");
    struct node *cell = malloc(sizeof *cell);
    if (!cell)
        return list;
    cell->value = value;
    cell->next = list;
    list = cell;
    return list;
}

static struct node *reverse(struct node *list)
{
    hw_requires("acyclic(list)");
    hw_ensures("acyclic(result) && (list ==> list->next == NULL)");
    hw_ensures("forall v: reach(result, v) <==> old(reach(list, v))");
    hw_ensures("forall v, w: old(reach(list, v)) && old(v->next) == w && w ==> w->next == v");
    struct node *done = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
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
    struct node *list = NULL;
    for (int i = 0; i < 3; i++)
        list = push(list, i);
    list = reverse(list);
    destroy(list);
    return 0;
}
