//@ engines: explicit, graph, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

struct q {
    struct node *head;
    struct node **tail;
};

int main(void)
{
    struct q q, r;
    q.head = 0;
    q.tail = &q.head;
    r = q;
    *r.tail = malloc(sizeof(struct node));
    return 0; //~ leak
}
