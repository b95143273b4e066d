//@ engines: region; verdict: unknown
//@ args: --property heap
// What `m->next` was says nothing after `m` was freed: `p` and `t` make a cycle, and are lost.
#include <stdlib.h>
struct node { struct node *next, *child; };
int main(void) {
    struct node *p = malloc(sizeof *p), *m = malloc(sizeof *m), *t = malloc(sizeof *t);
    if (!p || !m || !t) abort();
    t->next = t->child = p->child = m->child = NULL;
    p->next = m; m->next = t;
    t = 0; m = 0;
    m = p->next;
    t = m->next;
    free(m);
    t->child = p;
    p->next = t;
    return 0;
}
