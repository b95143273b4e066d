//@ engines: graph; verdict: unsafe
//@ args: -I benchmarks/graph
/* One wrong statement in queue_2_stacks.c: A queue made of two stacks. It is dequeued only if one of them has a cell, which is all that makes the dequeue safe. */
#include "list.h"

int main(void)
{
    struct node *inbox = NULL;
    struct node *outbox = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            inbox = new_node(inbox);
        } else if (inbox != NULL || outbox == NULL) {
            if (outbox == NULL) {
                while (inbox != NULL) {
                    struct node *moved = inbox;
                    inbox = inbox->next;
                    moved->next = outbox;
                    outbox = moved;
                }
            }
            struct node *first = outbox;
            outbox = first->next; //~ null-deref
            free(first);
        }
    }
    free_list(inbox);
    free_list(outbox);
    return 0;
}
