//@ engines: explicit, auto; verdict: safe
//@ args: --entry f
#include <stddef.h>
struct cell { int *p; };
int f(struct cell *c) {
    struct cell *found = NULL;
    found = c;
    return *found->p;
}
