//@ engines: explicit, graph, tvl, overlay, auto; verdict: unsafe
#include <stdlib.h>

struct node { struct node *next; };
static struct node *head;

static void clear(void) __attribute__((destructor));
static void clear(void)
{
    free(head);         //~ double-free
}

int main(void)
{
    head = malloc(sizeof *head);
    if (head)
        head->next = 0;
    free(head);
    return 0;
}
