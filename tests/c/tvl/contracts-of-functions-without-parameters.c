//@ engines: tvl; verdict: safe
/* Quantified cells are of the struct of the globals that a formula names, where there are no parameters. */
#include <heapwise.h>
#include <stdlib.h>
struct node { struct node *next; };
struct node *head;
void put(void)
{
    hw_requires("acyclic(head)");
    hw_ensures("acyclic(head) && head");
    hw_ensures("forall v: reach(head, v) <==> old(reach(head, v)) || v == head");
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->next = head;
    head = n;
}
void get(void)
{
    hw_requires("head && acyclic(head)");
    hw_ensures("head == old(head->next) && freed(old(head)) && acyclic(head)");
    hw_ensures("forall v: reach(head, v) <==> old(reach(head, v)) && v != old(head)");
    struct node *n = head;
    head = n->next;
    free(n);
}
int main(void)
{
    for (int i = 0; i < 3; i++)
        put();
    while (head)
        get();
    return 0;
}
