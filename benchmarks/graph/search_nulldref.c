/* Searches for a value and forgets that it may not be there. */
#include "list.h"

static struct node *search(struct node *head, int key)
{
    struct node *current = head;
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
