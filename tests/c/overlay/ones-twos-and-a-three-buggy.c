//@ engines: overlay; verdict: unsafe
// First ones, then twos, then a three at the end.

#include <assert.h>

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int h;
    struct node *n;
};

int main(void)
{
    struct node *a = malloc(sizeof *a);
    if (!a)
        exit(1);
    struct node *p = a, *t;
    while (__VERIFIER_nondet_int()) {
        p->h = 1;
        t = malloc(sizeof *t);
        if (!t)
            exit(1);
        p->n = t;
        p = p->n;
    }
    while (__VERIFIER_nondet_int()) {
        p->h = 2;
        t = malloc(sizeof *t);
        if (!t)
            exit(1);
        p->n = t;
        p = p->n;
    }
    p->h = 3;
    p->n = NULL;
    p = a;
    while (p->h == 2)
        p = p->n;
    while (p->h == 2)
        p = p->n;
    assert(p->h == 3); //~ assert
    while (a) {
        t = a->n;
        free(a);
        a = t;
    }
    return 0;
}
