//@ engines: explicit; verdict: unsafe
/* The cell behind the removed one is lost from the list. */
#include <heapwise.h>
#include <stddef.h>

struct node {
    struct node *next;
};

static struct node *behind(struct node *list)
{
    hw_requires("list && acyclic(list)");
    hw_ensures("result == old(list->next)");
    list = list->next;
    if (list)
        list = list->next;
    return list; //~ shape
}

int main(void)
{
    struct node third = {NULL}, second = {&third}, first = {&second};
    return behind(&first) == NULL;
}
