/* Reverses a cycle in place. */
#include "list.h"

static void reverse(struct node *cycle)
{
    struct node *previous = cycle;
    struct node *current = cycle->next;
    while (current != cycle) {
        struct node *next = current->next;
        current->next = previous;
        previous = current;
        current = next;
    }
    cycle->next = previous;
}

int main(void)
{
    struct node *cycle = make_cycle();
    reverse(cycle);
    hw_assert_cyclic(cycle);
    free_cycle(cycle);
    return 0;
}
