//@ engines: graph; verdict: unknown
#include <stdlib.h>
#include "heapwise.h"
int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
static struct node *make(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            break;
        n->v = __VERIFIER_nondet_int();
        n->next = l;
        l = n;
    }
    return l;
}
static void drop(struct node *l)
{
    while (l) {
        struct node *next = l->next;
        free(l);
        l = next;
    }
}
#include <string.h>
struct word { char *text; struct word *next; };
int main(void)
{
    struct word *words = NULL, *w;
    while (__VERIFIER_nondet_int()) {
        w = malloc(sizeof *w);
        if (!w)
            break;
        w->text = "constant";
        w->next = words;
        words = w;
    }
    while (words) {
        w = words;
        words = w->next;
        if (strlen(w->text) > 3)
            w->text = "x";
        free(w);
    }
    return 0;
}
