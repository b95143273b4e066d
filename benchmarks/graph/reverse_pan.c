/* Reverses a panhandle list, a cycle reached through a stem: the stem is reversed twice, the cycle once. */
#include "list.h"

static struct node *reverse(struct node *list)
{
    struct node *reversed = NULL;
    while (list != NULL) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    return reversed;
}

int main(void)
{
    struct node *cycle = make_cycle();
    struct node *second = cycle->next;
    struct node *head = cycle;
    while (__VERIFIER_nondet_int())
        head = new_node(head);
    head = reverse(head);
    hw_assert_reach(head, cycle);
    hw_assert_cyclic(cycle);
    /* The second cell of the cycle is its last one now. */
    second->next = NULL;
    free_list(head);
    return 0;
}
