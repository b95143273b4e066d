//@ engines: overlay; verdict: safe
// An array of list heads on the heap, indexed by the hash of a key.

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { unsigned key; struct node *next; };
struct table { size_t n; struct node **buckets; };
static struct table *table_new(size_t n) {
    struct table *t = malloc(sizeof *t);
    if (!t) return NULL;
    t->buckets = calloc(n, sizeof *t->buckets);
    if (!t->buckets) { free(t); return NULL; }
    t->n = n;
    return t;
}
static void insert(struct table *t, unsigned key) {
    struct node *x = malloc(sizeof *x);
    if (!x) return;
    size_t i = key % t->n;
    x->key = key; x->next = t->buckets[i]; t->buckets[i] = x;
}
static void table_free(struct table *t) {
    for (size_t i = 0; i < t->n; i++) {
        struct node *x = t->buckets[i];
        while (x) { struct node *next = x->next; free(x); x = next; }
    }
    free(t->buckets); free(t);
}
int main(void) {
    struct table *t = table_new(32);
    if (!t) return 1;
    while (__VERIFIER_nondet_int()) insert(t, (unsigned)__VERIFIER_nondet_int());
    table_free(t);
    return 0;
}
