//@ engines: overlay; verdict: unsafe
// A table of functions filled by a loop and called by a code in list cells.

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
typedef int (*handler)(int);
static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }
static handler table[20];
struct ev { unsigned code; struct ev *next; };
int main(void) {
    for (int i = 0; i < 20; i++) table[i] = i % 2 ? inc : dec;
    struct ev *q = NULL;
    while (__VERIFIER_nondet_int()) { struct ev *e = malloc(sizeof *e); if (!e) break; 
    e->code = (unsigned)__VERIFIER_nondet_int() % 21;
    e->next = q; q = e; }
    int s = 0;
    while (q) { struct ev *e = q; q = e->next; s = table[e->code](s); free(e); } //~ out-of-bounds
    return s > 0;
}
