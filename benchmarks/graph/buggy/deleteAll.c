//@ engines: graph; verdict: unsafe
//@ args: -I benchmarks/graph
/* One wrong statement in deleteAll.c: Frees a list cell by cell. */
#include "list.h"

int main(void)
{
    struct node *head = make_list();
    while (head != NULL) {
        struct node *first = head;
        free(head), head = head->next; //~ use-after-free
        free(first);
    }
    return 0;
}
