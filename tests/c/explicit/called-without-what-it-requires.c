//@ engines: explicit; verdict: unsafe
/* The second append would make a cycle: its contract forbids the call. */
#include <heapwise.h>
#include <stddef.h>

struct node {
    struct node *next;
};

static void append(struct node *list, struct node *tail)
{
    hw_requires("acyclic(list) && acyclic(tail) && disjoint(list, tail)");
    while (list->next)
        list = list->next;
    list->next = tail;
}

int main(void)
{
    struct node first = {NULL}, second = {NULL};
    append(&first, &second);
    append(&first, &second); //~ shape
    return 0;
}
