//@ engines: explicit, graph, tvl, overlay, auto; verdict: safe
#include <stdlib.h>

struct node { struct node *next; int value; };
static struct node first = { 0, 3 };
static struct node *head;

__attribute__((constructor)) static void set(void)
{
    head = &first;
}

int main(void)
{
    int sum = 0;
    head->value = 4;
    for (struct node *at = head; at; at = at->next)
        sum += at->value;
    return sum;
}
