//@ engines: explicit, auto; verdict: unsafe
//@ args: --entry f
#include <stdlib.h>
struct inner { int *p; };
struct outer { int a; struct inner inner; };
void f(struct outer *o) {
    free(o->inner.p);
    free(o->inner.p); //~ double-free
}
