//@ engines: graph; verdict: unsafe
//@ args: -I benchmarks/graph
/* One wrong statement in getLast.c: Finds the last cell of a list that is not empty: there is one. */
#include "list.h"

static struct node *getLast(struct node *head)
{
    struct node *last = NULL;
    struct node *current = head;
    while (current != NULL) {
        last = current->next;
        current = current->next;
    }
    return last;
}

int main(void)
{
    struct node *head = new_node(make_list());
    struct node *last = getLast(head);
    assert(last != NULL); //~ assert
    free_list(head);
    return 0;
}
