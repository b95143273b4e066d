//@ engines: explicit, auto; verdict: safe
//@ engines: graph, tvl; verdict: clean
#include <stddef.h>

struct node {
    struct node *next;
    int v;
};

static struct node first = {&first, 1};

static int sum(void)
{
    struct node head;
    int sum = 0;
    head.v = 2;
    head.next = first.next;
    first.next = &head;
    for (struct node *p = first.next; p != &first; p = p->next)
        sum += p->v;
    first.next = head.next;
    return sum;
}

int main(void)
{
    return sum() + sum() - 4 + first.next->v - 1;
}
