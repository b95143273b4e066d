//@ engines: tvl; verdict: safe
/* The list is a global: what it was, and what its first link led to, is remembered over the call. */
#include <heapwise.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
struct node *head;
void add(int v)
{
    hw_requires("acyclic(head)");
    hw_ensures("forall struct node *v: reach(head, v) <==> old(reach(head, v)) || v == head");
    hw_ensures("acyclic(head) && head && head->next == old(head) && fresh(head)");
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->value = v; n->next = head; head = n;
}
void drop(void)
{
    hw_requires("head && acyclic(head)");
    hw_ensures("forall struct node *v: reach(head, v) <==> old(reach(head, v)) && v != old(head)");
    hw_ensures("acyclic(head) && head == old(head->next) && freed(old(head))");
    hw_ensures("forall struct node *v: freed(v) ==> v == old(head)");
    struct node *n = head;
    head = n->next;
    free(n);
}
int main(void)
{
    add(1); add(2);
    drop();
    while (head) drop();
    return 0;
}
