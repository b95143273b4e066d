/* Swaps the first two cells of a list. */
#include "list.h"

static struct node *swap(struct node *head)
{
    if (head == NULL || head->next == NULL)
        return head;
    struct node *second = head->next;
    head->next = second->next;
    second->next = head;
    return second;
}

int main(void)
{
    struct node *head = make_list();
    head = swap(head);
    hw_assert_acyclic(head);
    free_list(head);
    return 0;
}
