//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The address is held by a cell.
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *head = malloc(sizeof *head);
    if (!head)
        return 0;
    {
        struct node inner = { 0 };
        head->next = &inner;
    }
    int same = 0;
    {
        struct node other = { 0 };
        if (head->next == &other)
            same = *(int *)0; //~ null-deref
    }
    free(head);
    return same;
}
