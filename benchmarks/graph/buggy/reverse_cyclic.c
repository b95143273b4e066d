//@ engines: graph; verdict: unsafe
//@ args: -I benchmarks/graph
/* One wrong statement in reverse_cyclic.c: Reverses a cycle in place. */
#include "list.h"

static void reverse(struct node *cycle)
{
    struct node *previous = cycle;
    struct node *current = cycle->next;
    while (current != cycle) {
        struct node *next = current->next;
        current->next = cycle;
        previous = current; //~ leak
        current = next;
    }
    cycle->next = previous; //~ leak
}

int main(void)
{
    struct node *cycle = make_cycle();
    reverse(cycle);
    hw_assert_cyclic(cycle);
    free_cycle(cycle);
    return 0;
}
