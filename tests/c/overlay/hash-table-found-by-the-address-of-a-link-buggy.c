//@ engines: overlay; verdict: unsafe
// A hash table on the stack that memset clears; lookup gives the address of the link that leads to an entry.
#include <stdlib.h>
#include <string.h>
#define NB 16
struct ent { unsigned key; int val; struct ent *next; };
struct tab { struct ent *b[NB]; unsigned n; };
static struct ent **slot(struct tab *t, unsigned k) {
    struct ent **p = &t->b[k % NB];
    while (*p && (*p)->key != k) p = &(*p)->next;
    return p;
}
static void put(struct tab *t, unsigned k, int v) {
    struct ent **p = slot(t, k);
    if (*p) { (*p)->val = v; return; }
    struct ent *e = malloc(sizeof *e);
    if (!e) return;
    e->key = k; e->val = v; e->next = NULL; *p = e; t->n++;
}
static void rem(struct tab *t, unsigned k) {
    struct ent **p = slot(t, k), *e = *p;
    if (!e) return;
    free(e); *p = e->next; //~ use-after-free
    t->n--;
}
int main(void) {
    struct tab t; memset(&t, 0, sizeof t);
    for (int i = 0; i < 100; i++) { if (rand() & 1) put(&t, rand(), i); else rem(&t, rand()); }
    for (int i = 0; i < NB; i++) { struct ent *e = t.b[i]; while (e) { struct ent *n = e->next; free(e); e = n; } }
    return 0;
}
