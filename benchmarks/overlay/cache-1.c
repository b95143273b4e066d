// A cache: a doubly linked list of entries, and a pointer to the entry that was looked up last.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
    int key, value;
};

static struct {
    struct node *first;
    struct node *recent1;
} cache;

static void link_first(struct node *x)
{
    struct node *q = cache.first;
    x->prev = 0;
    x->next = q;
    if (q)
        q->prev = x;
    cache.first = x;
}

static void unlink_node(struct node *x)
{
    struct node *p = x->prev, *q = x->next;
    if (p)
        p->next = q;
    else
        cache.first = q;
    if (q)
        q->prev = p;
}

static void insert(int key, int value)
{
    struct node *x = malloc(sizeof *x);
    if (!x)
        abort();
    x->key = key;
    x->value = value;
    link_first(x);
}

static int lookup(int key)
{
    struct node *x;
    x = cache.recent1;
    if (x && x->key == key)
        return x->value;
    x = cache.first;
    while (x && x->key != key)
        x = x->next;
    if (!x)
        return -1;
    cache.recent1 = x;
    return x->value;
}

static void evict(void)
{
    struct node *x = cache.first;
    if (!x)
        return;
    unlink_node(x);
    if (cache.recent1 == x)
        cache.recent1 = 0;
    free(x);
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            insert(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
            break;
        case 1:
            lookup(__VERIFIER_nondet_int());
            break;
        default:
            evict();
        }
    }
    return 0;
}
