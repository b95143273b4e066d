//@ engines: tvl; verdict: unsafe
/* By its contract reverse frees nothing and keeps every cell: the client must. */
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

int main(void)
{
    struct node *list = push(push(NULL, 1), 2);
    list = reverse(list);
    return 0; //~ leak
}
