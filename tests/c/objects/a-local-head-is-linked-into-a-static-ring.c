//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The ring of statics still leads to the head when its function has ended.
#include <stddef.h>

struct node {
    struct node *next;
    int v;
};

static struct node first = {&first, 1};

static void link_in(void)
{
    struct node head;
    head.v = 2;
    head.next = first.next;
    first.next = &head;
}

int main(void)
{
    link_in();
    struct node *p = first.next;
    return p->v; //~ use-after-free
}
