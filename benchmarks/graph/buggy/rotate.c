//@ engines: graph; verdict: unsafe
//@ args: -I benchmarks/graph
/* One wrong statement in rotate.c: Moves the first cell of a list to its end. */
#include "list.h"

static struct node *rotate(struct node *head)
{
    if (head == NULL || head->next == NULL)
        return head;
    struct node *last = head;
    while (last->next != NULL)
        last = last->next;
    struct node *first = head;
    head = first->next;
    first->next = head;
    last->next = first;
    return head;
}

int main(void)
{
    struct node *head = make_list();
    head = rotate(head);
    hw_assert_acyclic(head); //~ shape
    free_list(head);
    return 0;
}
