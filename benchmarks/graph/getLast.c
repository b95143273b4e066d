/* Finds the last cell of a list that is not empty: there is one. */
#include "list.h"

static struct node *getLast(struct node *head)
{
    struct node *last = NULL;
    struct node *current = head;
    while (current != NULL) {
        last = current;
        current = current->next;
    }
    return last;
}

int main(void)
{
    struct node *head = new_node(make_list());
    struct node *last = getLast(head);
    assert(last != NULL);
    free_list(head);
    return 0;
}
