//@ engines: refine; verdict: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
typedef struct data { int v; } data;
typedef struct msg { data *d; int owned; struct msg *next; struct msg *prev; } msg;
typedef struct { msg *in; msg *out; } queue;
static queue q;
static int put(data *d, int owned) {
    msg *m = malloc(sizeof(msg));
    if (!m) return -1;
    m->d = d; m->owned = owned; m->prev = NULL; m->next = q.in;
    if (q.in) q.in->prev = m; else q.out = m;
    q.in = m;
    return 0;
}
int main(void) {
    data *common = malloc(sizeof(data));
    if (!common) return 1;
    common->v = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            data *d = malloc(sizeof(data));
            if (!d) break;
            d->v = 1;
            if (put(d, 1) != 0) { free(d); break; }
        } else if (put(common, 1)) break;
    }
    while (q.out) {
        msg *m = q.out;
        q.out = m->prev;
        if (q.out) q.out->next = NULL; else q.in = NULL;
        if (m->owned) free(m->d);  //~ double-free
        free(m);
    }
    free(common);
    return 0;
}
