//@ engines: overlay; verdict: unsafe
// Each element has one of two levels, and two flags say which ones there are.
#include <stdlib.h>
#include <assert.h>
struct n { struct n *next; int level; };
int main(void) {
    struct n *h = NULL; int low = 0, high = 0;
    while (rand() % 4) {
        struct n *x = malloc(sizeof *x); if (!x) break;
        x->level = rand() % 2 ? 1 : 2;
        if (x->level == 1) low = 1; else high = 1;
        x->next = h; h = x;
    }
    for (struct n *p = h; p; p = p->next) {
        assert(p->level == 2 || high); //~ assert
    }
    if (!low && !high) assert(h == NULL);
    while (h) { struct n *t = h; h = h->next; free(t); }
    return 0;
}
