//@ engines: refine; verdict: safe
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
typedef struct st { int tok; struct st *nxt; } st;
static st *first, *cur;
static void build(void) {
    first = malloc(sizeof(st));
    if (!first) exit(1);
    first->tok = 1; first->nxt = NULL;
    st *last = first;
    while (__VERIFIER_nondet_int()) {
        st *s = malloc(sizeof(st));
        if (!s) exit(1);
        s->tok = 0; s->nxt = NULL;
        last->nxt = s; last = s;
    }
    cur = first;
}
static void step(void) {
    if (cur->nxt) { cur->tok = 0; cur = cur->nxt; }
    else { cur->tok = 0; cur = first; }
    cur->tok = 1;
}
int main(void) {
    build();
    while (__VERIFIER_nondet_int()) { assert(cur->tok == 1); step(); }
    for (st *s = first; s; s = s->nxt) if (s != cur) assert(s->tok == 0);
    cur = NULL;
    while (first) { st *s = first; first = first->nxt; free(s); }
    return 0;
}
