//@ engines: tvl; verdict: unknown
/* By its contract alone the function may hand out any acyclic list: what becomes of the cell is not known. */
#include <heapwise.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *same(struct node *list)
{
    hw_requires("acyclic(list)");
    hw_ensures("acyclic(result)");
    return list;
}

int main(void)
{
    struct node *cell = malloc(sizeof *cell);
    if (!cell)
        return 0;
    cell->next = NULL;
    cell->value = 1;
    cell = same(cell); //~ may leak
    free(cell); //~ may leak
    return 0;
}
