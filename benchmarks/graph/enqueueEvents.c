/* Puts events into one of two queues: the running example of the paper. */
#include "list.h"

int main(void)
{
    struct node *h1 = new_node(NULL);
    struct node *t1 = h1;
    struct node *h2 = new_node(NULL);
    struct node *t2 = h2;
    while (__VERIFIER_nondet_int()) {
        struct node *temp = new_node(NULL);
        if (__VERIFIER_nondet_int()) {
            t1->next = temp;
            t1 = temp;
        } else {
            t2->next = temp;
            t2 = temp;
        }
    }
    hw_assert_reach(h1, t1);
    hw_assert_reach(h2, t2);
    hw_assert_disjoint(h1, h2);
    free_list(h1);
    free_list(h2);
    return 0;
}
