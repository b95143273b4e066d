//@ engines: tvl; verdict: unsafe
/* The reversal forgets the rest of the list: fewer cells are reached than before. */
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

static struct node *reverse(struct node *list)
{
    hw_requires("acyclic(list)");
    hw_ensures("acyclic(result)");
    hw_ensures("forall v: reach(result, v) <==> old(reach(list, v))");
    struct node *done = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = NULL;
        done = list;
        list = next;
    }
    return done; //~ shape
}

int main(void)
{
    struct node *list = push(push(NULL, 1), 2);
    list = reverse(list);
    destroy(list);
    return 0;
}
