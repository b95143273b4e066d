//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct small { struct small *next; int v; };
struct large { struct large *next; int v; int w[4]; };

int main(void) {
    struct small *list = NULL;
    struct large *end = malloc(sizeof *end);
    if (!end) return 0;
    end->v = 0;
    end->next = NULL;
    list = (struct small *)end;
    while (__VERIFIER_nondet_int()) {
        struct small *n = malloc(sizeof *n);
        if (!n) break;
        n->v = 1;
        n->next = list;
        list = n;
    }
    struct small *p = list;
    while (p->next) p = p->next;
    ((struct large *)p)->w[2] = 1;
    while (list) {
        struct small *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
