//@ engines: graph; verdict: safe
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct page { int id; unsigned hits; struct page *next; };

static struct page *lookup(struct page **lru, int id)
{
    struct page *p = *lru, *prev = NULL;
    while (p && p->id != id) {
        prev = p;
        p = p->next;
    }
    if (p == NULL) {
        p = malloc(sizeof *p);
        if (p == NULL)
            return NULL;
        memset(p, 0, sizeof *p);
        p->id = id;
    } else if (prev == NULL) {
        p->hits++;
        return p;
    } else {
        prev->next = p->next;
        p->hits++;
    }
    p->next = *lru;
    *lru = p;
    return p;
}

static void evict_last(struct page **lru)
{
    struct page *p = *lru;
    if (!p)
        return;
    if (!p->next) {
        free(p);
        *lru = NULL;
        return;
    }
    while (p->next->next)
        p = p->next;
    free(p->next);
    p->next = NULL;
}

int main(void)
{
    struct page *lru = NULL;
    int id;
    while ((id = __VERIFIER_nondet_int()) != 0) {
        struct page *p = lookup(&lru, id);
        if (!p)
            break;
        if (p->hits > 3)
            evict_last(&lru);
    }
    while (lru)
        evict_last(&lru);
    return 0;
}
