//@ engines: refine; verdict: unsafe
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct entry { int key; int val; struct entry *next; };
struct map { struct entry *first; };
static struct map *map_new(void) {
    struct map *m = malloc(sizeof(struct map));
    if (m) m->first = NULL;
    return m;
}
static int map_put(struct map *m, int key, int val) {
    struct entry *e = malloc(sizeof(struct entry));
    if (!e) return 0;
    e->key = key; e->val = val; e->next = m->first; m->first = e;
    return 1;
}
static struct entry *map_get(struct map *m, int key) {
    struct entry *e = m->first;
    while (e && e->key != key) e = e->next;
    return e;
}
static void map_free(struct map *m) {
    while (m->first) { struct entry *e = m->first; m->first = e->next; free(e); }
    free(m);
}
int main(void) {
    struct map *m = map_new();
    if (!m) return 1;
    int ok = 1;
    while (ok && __VERIFIER_nondet_int()) ok = map_put(m, __VERIFIER_nondet_int(), 0);
    if (ok) {
        struct entry *e = map_get(m, 7);
        assert(e != NULL);  //~ assert
        e->val = 2;
    }
    map_free(m);
    return 0;
}
