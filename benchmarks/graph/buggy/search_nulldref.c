//@ engines: graph; verdict: unsafe
//@ args: -I benchmarks/graph
/* One wrong statement in search_nulldref.c: Searches for a value and forgets that it may not be there. */
#include "list.h"

static struct node *search(struct node *head, int key)
{
    struct node *current = head->next; //~ null-deref
    while (current->data != key) //~ null-deref
        current = current->next;
    return current;
}

int main(void)
{
    struct node *head = make_list();
    struct node *found = search(head, __VERIFIER_nondet_int());
    hw_assert_reach(head, found);
    free_list(head);
    return 0;
}
