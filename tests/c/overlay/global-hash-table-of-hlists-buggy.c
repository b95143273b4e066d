//@ engines: overlay; verdict: unsafe
// Heads of an hlist in a global array: cells lead back to their head.

#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define hlist_entry(ptr, type, member) container_of(ptr, type, member)

struct hlist_node { struct hlist_node *next, **pprev; };
struct hlist_head { struct hlist_node *first; };

static inline void hlist_add_head(struct hlist_node *n, struct hlist_head *h)
{
    struct hlist_node *first = h->first;
    n->next = first;
    if (first)
        first->pprev = &n->next;
    h->first = n;
    n->pprev = &h->first;
}

static inline void hlist_del(struct hlist_node *n)
{
    struct hlist_node *next = n->next, **pprev = n->pprev; //~ use-after-free
    *pprev = next;
    if (next)
        next->pprev = pprev;
}

#define BITS 6
#define SIZE (1 << BITS)
struct obj { int key; struct hlist_node hash; };
static struct hlist_head table[SIZE];
static struct obj *find(int key) {
    struct hlist_node *p;
    for (p = table[key & (SIZE - 1)].first; p; p = p->next) {
        struct obj *o = hlist_entry(p, struct obj, hash);
        if (o->key == key) return o;
    }
    return NULL;
}
static void add(int key) {
    struct obj *o = malloc(sizeof *o);
    if (!o) return;
    o->key = key;
    hlist_add_head(&o->hash, &table[key & (SIZE - 1)]);
}
static void del(struct obj *o) {
    free(o); //~ may leak
    hlist_del(&o->hash);
}
int main(void) {
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        struct obj *o = find(key);
        if (o) del(o); else add(key);
    }
    for (int i = 0; i < SIZE; i++) {
        struct hlist_node *p, *n;
        for (p = table[i].first; p; p = n) { n = p->next; del(hlist_entry(p, struct obj, hash)); }
    }
    return 0;
}
