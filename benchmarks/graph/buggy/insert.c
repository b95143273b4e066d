//@ engines: graph; verdict: unsafe
//@ args: -I benchmarks/graph
/* One wrong statement in insert.c: Inserts a value into a sorted list. */
#include "list.h"

static struct node *insert(struct node *head, int key)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        return head;
    node->data = key;
    struct node *previous = NULL;
    struct node *current = head;
    while (current != NULL && current->data < key) {
        previous = current;
        current = current->next;
    }
    node->next = current;
    if (previous == NULL)
        return node;
    previous = node;
    return head; //~ leak
}

int main(void)
{
    struct node *head = make_list();
    head = insert(head, __VERIFIER_nondet_int());
    hw_assert_acyclic(head);
    free_list(head);
    return 0;
}
