//@ engines: explicit, graph, tvl; verdict: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct small { struct small *next; int v; };
struct large { struct large *next; int v; int w[4]; };

int main(void) {
    struct small *list = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            struct small *n = malloc(sizeof *n);
            if (!n) break;
            n->v = 1;
            n->next = list;
            list = n;
        } else {
            struct large *n = malloc(sizeof *n);
            if (!n) break;
            n->v = 2;
            n->next = (struct large *)list;
            list = (struct small *)n;
        }
    }
    struct small *p = list;
    while (p) {
        ((struct large *)p)->w[3] = 3;  //~ out-of-bounds
        p = p->next;
    }
    while (list) {
        struct small *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
