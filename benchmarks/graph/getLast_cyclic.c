/* Finds the last cell of a cycle: the one whose successor is the first. */
#include "list.h"

static struct node *getLast(struct node *cycle)
{
    struct node *last = cycle;
    while (last->next != cycle)
        last = last->next;
    return last;
}

int main(void)
{
    struct node *cycle = make_cycle();
    struct node *last = getLast(cycle);
    assert(last != NULL);
    hw_assert_reach(last, cycle);
    hw_assert_cyclic(cycle);
    free_cycle(cycle);
    return 0;
}
