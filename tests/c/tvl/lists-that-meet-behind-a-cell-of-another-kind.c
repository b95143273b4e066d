//@ engines: explicit, graph, tvl; verdict: unsafe
#include <stdlib.h>
#include <heapwise.h>
struct small { struct small *next; int v; };
struct large { struct large *next; int v; int w[4]; };
int main(void) {
    struct small *s = malloc(sizeof *s);
    if (!s) return 0;
    struct large *l = malloc(sizeof *l);
    if (!l) { free(s); return 0; }
    struct small *t = malloc(sizeof *t);
    if (!t) { free(s); free(l); return 0; }
    s->next = (struct small *)l;
    l->next = (struct large *)t;
    t->next = NULL;
    hw_assert_disjoint(s, t);  //~ shape
    free(s); free(l); free(t);
    return 0;
}
