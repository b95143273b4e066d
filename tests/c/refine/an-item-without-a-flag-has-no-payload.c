//@ engines: refine; verdict: safe
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct pay { int n; };
struct it { int has; struct pay *pay; struct it *next; struct it *prev; };
static struct it *item(void) {
    struct it *i = calloc(1, sizeof(struct it));
    if (!i) exit(1);
    if (__VERIFIER_nondet_int()) {
        i->pay = malloc(sizeof(struct pay));
        if (i->pay) { i->has = 1; i->pay->n = 0; }
    }
    return i;
}
int main(void) {
    struct it *h = item();
    while (__VERIFIER_nondet_int()) {
        struct it *i = item();
        i->next = h; h->prev = i; h = i;
    }
    for (struct it *i = h; i; i = i->next) {
        if (i->has) i->pay->n += 1;
        else assert(i->pay == NULL);
    }
    while (h) {
        struct it *n = h->next;
        if (n) n->prev = NULL;
        free(h->pay);
        free(h);
        h = n;
    }
    return 0;
}
