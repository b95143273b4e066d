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
    s->next = (struct small *)l;
    l->next = (struct large *)s;
    hw_assert_acyclic(s);  //~ shape
    free(s); free(l);
    return 0;
}
