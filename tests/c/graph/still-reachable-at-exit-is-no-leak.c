//@ engines: graph; verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct n { struct n *next; };
static struct n *cache;
int main(void)
{
    while (__VERIFIER_nondet_int()) {
        struct n *x = malloc(sizeof *x);
        if (!x)
            exit(2);
        x->next = cache;
        cache = x;
    }
    return 0;
}
