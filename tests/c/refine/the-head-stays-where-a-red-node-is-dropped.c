//@ engines: refine; verdict: unsafe
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
enum colour { RED, BLACK };
struct n { enum colour c; struct n *next, *prev; };
static struct n *head;
static void add(enum colour c) {
    struct n *x = malloc(sizeof *x);
    if (!x) exit(1);
    x->c = c; x->prev = NULL; x->next = head;
    if (head) head->prev = x;
    head = x;
}
static void drop(struct n *x) {
    if (x->prev) x->prev->next = x->next;
    if (x->next) x->next->prev = x->prev;
    free(x);
}
int main(void) {
    while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) add(RED); else add(BLACK); }
    struct n *p = head;
    while (p) { struct n *q = p->next; if (p->c == RED) drop(p); p = q; }  //~ leak
    for (p = head; p; p = p->next) assert(p->c == BLACK);
    while (head) drop(head);
    return 0;
}
