//@ engines: explicit, refine; verdict: clean
//@ engines: overlay, auto; verdict: unknown
// A number that an input tags leads to the object still.
#include <stdlib.h>
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
struct n { uintptr_t next; };
int main(void) {
    struct n *a = malloc(sizeof *a);
    if (!a) return 0;
    a->next = 0;
    struct n b;
    b.next = (uintptr_t)a | (__VERIFIER_nondet_int() & 1);
    a = 0;      //~ may leak
    if (b.next == 0) return 0;
    a = (struct n *)(b.next & ~(uintptr_t)1);
    uintptr_t v = a->next;
    free(a);
    return v != 0;
}
