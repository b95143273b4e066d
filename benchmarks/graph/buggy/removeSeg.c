//@ engines: graph; verdict: unsafe
//@ args: -I benchmarks/graph
/* One wrong statement in removeSeg.c: Removes the cells between two values: the first cell above the lower one, up to the first above the upper one. */
#include "list.h"

static struct node *removeSeg(struct node *head, int lower, int upper)
{
    struct node *previous = NULL;
    struct node *current = head;
    while (current != NULL && current->data < lower) {
        previous = current;
        current = current->next;
    }
    while (current->data < upper) { //~ null-deref
        struct node *next = current->next;
        free(current);
        current = next;
        if (previous == NULL)
            head = next;
        else
            previous->next = next;
    }
    return head;
}

int main(void)
{
    struct node *head = make_list();
    head = removeSeg(head, __VERIFIER_nondet_int(), __VERIFIER_nondet_int());
    hw_assert_acyclic(head);
    free_list(head);
    return 0;
}
