//@ engines: refine; verdict: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
typedef struct node { int h; struct node *n; } *List;
void err(void) { reach_error(); abort(); }
static List fresh(int h) {
    List t = malloc(sizeof(struct node));
    if (!t) exit(1);
    t->h = h; t->n = NULL;
    return t;
}
int main(void) {
    List a = fresh(1), p = a;
    while (__VERIFIER_nondet_int()) { p->n = fresh(1); p = p->n; }
    while (__VERIFIER_nondet_int()) { p->n = fresh(2); p = p->n; }
    p->n = fresh(3);
    p = a;
    while (p->h == 1) p = p->n;
    while (p->h != 3) p = p->n; p = p->n;
    if (p->h != 3) __builtin_trap();  //~ null-deref
    while (a) { List t = a; a = a->n; free(t); }
    return 0;
}
