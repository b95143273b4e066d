//@ engines: tvl; verdict: safe
/* Six functions, each checked once against its contract; the client is checked by contracts alone. */
#include <heapwise.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
struct node *push(struct node *l, int v)
{
    hw_requires("acyclic(l)");
    hw_ensures("acyclic(result)");
    hw_ensures("result != NULL && result->next == l && fresh(result)");
    hw_ensures("forall v: reach(result, v) <==> old(reach(l, v)) || v == result");
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->value = v;
    n->next = l;
    return n;
}
struct node *append(struct node *a, struct node *b)
{
    hw_requires("acyclic(a) && acyclic(b) && disjoint(a, b)");
    hw_ensures("acyclic(result)");
    hw_ensures("forall v: reach(result, v) <==> old(reach(a, v)) || old(reach(b, v))");
    if (!a) return b;
    struct node *p = a;
    while (p->next) p = p->next;
    p->next = b;
    return a;
}
struct node *reverse(struct node *l)
{
    hw_requires("acyclic(l)");
    hw_ensures("acyclic(result)");
    hw_ensures("forall v: reach(result, v) <==> old(reach(l, v))");
    struct node *r = NULL;
    while (l) { struct node *t = l->next; l->next = r; r = l; l = t; }
    return r;
}
int length(struct node *l)
{
    hw_requires("acyclic(l)");
    hw_ensures("acyclic(l)");
    hw_ensures("forall v: reach(l, v) <==> old(reach(l, v))");
    int n = 0;
    while (l) { n++; l = l->next; }
    return n;
}
struct node *find(struct node *l, int v)
{
    hw_requires("acyclic(l)");
    hw_ensures("acyclic(l)");
    hw_ensures("result == NULL || reach(l, result)");
    hw_ensures("forall v: reach(l, v) <==> old(reach(l, v))");
    while (l && l->value != v) l = l->next;
    return l;
}
void free_all(struct node *l)
{
    hw_requires("acyclic(l)");
    hw_ensures("forall v: old(reach(l, v)) ==> freed(v)");
    while (l) { struct node *t = l->next; free(l); l = t; }
}
int main(void)
{
    struct node *a = NULL, *b = NULL;
    for (int i = 0; i < 10; i++) a = push(a, i);
    for (int i = 0; i < 10; i++) b = push(b, i);
    a = reverse(a);
    a = append(a, b);
    int n = length(a);
    struct node *f = find(a, 3);
    if (f) f->value = n;
    free_all(a);
    return 0;
}
