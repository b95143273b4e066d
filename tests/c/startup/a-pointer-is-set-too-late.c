//@ engines: explicit, graph, tvl, overlay, auto; verdict: unsafe
#include <stdlib.h>

struct node { struct node *next; int value; };
static struct node first = { 0, 3 };
static struct node *head;
static int seen;

__attribute__((constructor(102))) static void set(void)
{
    head = &first;
}

__attribute__((constructor(101))) static void look(void)
{
    seen = head->value;     //~ null-deref
}

int main(void)
{
    return seen;
}
