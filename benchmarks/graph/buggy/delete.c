//@ engines: graph; verdict: unsafe
//@ args: -I benchmarks/graph
/* One wrong statement in delete.c: Deletes the first cell with a given value. */
#include "list.h"

static struct node *delete(struct node *head, int key)
{
    struct node *previous = NULL;
    struct node *current = head;
    while (current != NULL && current->data != key) {
        previous = current;
        current = current->next;
    }
    if (current == NULL)
        return head;
    if (previous == NULL)
        head = current->next;
    else
        free(current);
    free(current); //~ double-free
    return head;
}

int main(void)
{
    struct node *head = make_list();
    head = delete(head, __VERIFIER_nondet_int());
    hw_assert_acyclic(head);
    free_list(head);
    return 0;
}
