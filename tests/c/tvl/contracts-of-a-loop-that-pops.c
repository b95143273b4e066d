//@ engines: tvl; verdict: safe
/* Where the next link is null, the cells that may have followed are not there: none is lost. */
#include <heapwise.h>
#include <stdlib.h>
struct node { struct node *next; };
struct node *pop(struct node *h)
{
    hw_requires("h && acyclic(h)");
    hw_ensures("result == old(h->next) && freed(h) && acyclic(result)");
    hw_ensures("forall v: reach(result, v) <==> old(reach(h, v)) && v != h");
    struct node *n = h->next;
    free(h);
    return n;
}
struct node *push(struct node *h)
{
    hw_requires("acyclic(h)");
    hw_ensures("acyclic(result) && result && result->next == h");
    hw_ensures("forall v: reach(result, v) <==> old(reach(h, v)) || v == result");
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->next = h;
    return n;
}
int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) head = push(head);
    while (head) head = pop(head);
    return 0;
}
