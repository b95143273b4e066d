//@ engines: explicit, graph, tvl; verdict: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct small { struct small *next; int v; };
struct large { struct large *next; int v; int w[4]; };

int main(void) {
    struct small *list = NULL;
    int n = __VERIFIER_nondet_int();
    while (n-- > 0) {
        struct small *s = malloc(sizeof *s);
        if (!s) break;
        s->v = 1;
        s->next = list;
        list = s;
    }
    struct large *middle = malloc(sizeof *middle);
    if (middle) {
        middle->v = 0;
        middle->next = (struct large *)list;
        list = (struct small *)middle;
        n = __VERIFIER_nondet_int();
        while (n-- > 0) {
            struct small *s = malloc(sizeof *s);
            if (!s) break;
            s->v = 1;
            s->next = list;
            list = s;
        }
    }
    while (list) {
        struct small *next = list->next;
        free(list);
        list->v = 0;  //~ use-after-free
        list = next;
    }
    return 0;
}
