//@ engines: graph, tvl; verdict: unsafe
// The new element is forgotten where it is there already.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct element {
    int key;
    struct element *next;
};
struct set {
    int (*order)(const struct element *, const struct element *);
    void *(*get)(size_t);
    void (*put)(void *);
    struct element *first;
};

static int ascending(const struct element *left, const struct element *right)
{
    return left->key < right->key ? -1 : left->key > right->key;
}

static int descending(const struct element *left, const struct element *right)
{
    return ascending(right, left);
}

static void *get(size_t bytes)
{
    return malloc(bytes);
}

static void put(void *memory)
{
    free(memory);
}

static void add(struct set *set, int key)
{
    struct element *element = set->get(sizeof *element);
    if (!element)
        return;
    element->key = key;
    struct element **at = &set->first;
    while (*at) {
        int order = set->order(*at, element);
        if (order == 0) {
            return; //~ leak
        }
        if (order > 0)
            break;
        at = &(*at)->next;
    }
    element->next = *at;
    *at = element;
}

int main(void)
{
    struct set set = {__VERIFIER_nondet_int() ? ascending : descending, get, put, NULL};
    while (__VERIFIER_nondet_int())
        add(&set, __VERIFIER_nondet_int());
    while (set.first) {
        struct element *next = set.first->next;
        set.put(set.first);
        set.first = next;
    }
    return 0;
}
