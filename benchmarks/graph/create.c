/* Builds a list of any length. */
#include "list.h"

int main(void)
{
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            break;
        node->data = __VERIFIER_nondet_int();
        node->next = head;
        head = node;
    }
    hw_assert_acyclic(head);
    free_list(head);
    return 0;
}
