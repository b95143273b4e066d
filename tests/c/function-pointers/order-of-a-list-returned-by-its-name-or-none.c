//@ engines: graph, tvl; verdict: unsafe
// For another number it returns null, and nobody asks.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef int (*order)(int, int);

struct cell {
    int key;
    struct cell *next;
};

static int up(int left, int right)
{
    return left < right;
}

static int down(int left, int right)
{
    return left > right;
}

static order order_named(int number)
{
    switch (number) {
    case 0:
        return up;
    case 1:
        return down;
    default:
        return NULL;
    }
}

int main(void)
{
    order before = order_named(__VERIFIER_nondet_int());
    struct cell *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        if (!cell)
            break;
        cell->key = __VERIFIER_nondet_int();
        struct cell **at = &list;
        while (*at && before((*at)->key, cell->key))
    //~^ null-deref
            at = &(*at)->next;
        cell->next = *at;
        *at = cell;
    }
    while (list) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
