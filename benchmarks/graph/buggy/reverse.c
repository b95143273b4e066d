//@ engines: graph; verdict: unsafe
//@ args: -I benchmarks/graph
/* One wrong statement in reverse.c: Reverses a list in place. */
#include "list.h"

static struct node *reverse(struct node *list)
{
    struct node *reversed = NULL;
    while (list != NULL) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = list->next;
    } //~ leak
    return reversed;
}

int main(void)
{
    struct node *head = make_list();
    head = reverse(head);
    hw_assert_acyclic(head);
    free_list(head);
    return 0;
}
