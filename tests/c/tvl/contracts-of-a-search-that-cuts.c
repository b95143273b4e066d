//@ engines: tvl; verdict: unsafe
/* A search that says that it changes nothing cuts the list behind what it finds. */
#include <heapwise.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *find(struct node *list)
{
    hw_requires("acyclic(list)");
    hw_ensures("forall v: v->next == old(v->next)");
    if (list)
        list->next = NULL;
    return list; //~ shape
}

int main(void)
{
    struct node *list = malloc(sizeof *list);
    if (!list)
        return 0;
    struct node *other = malloc(sizeof *other);
    if (!other) {
        free(list);
        return 0;
    }
    list->value = other->value = 1;
    list->next = other;
    other->next = NULL;
    find(list);
    free(other);
    free(list);
    return 0;
}
