//@ engines: graph; verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct n { struct n *next; };
int main(void)
{
    struct n *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct n *x = malloc(sizeof *x);
        if (!x)
            exit(2);
        x->next = l;
        l = x;
    }
    exit(0);
}
