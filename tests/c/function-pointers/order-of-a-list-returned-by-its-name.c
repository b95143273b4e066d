//@ engines: graph, tvl; verdict: safe
// A function returns the order that a number names; the list is kept in that order.
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

static int as_it_comes(int left, int right)
{
    (void)left;
    (void)right;
    return 1;
}

static order order_named(int number)
{
    switch (number) {
    case 0:
        return up;
    case 1:
        return down;
    default:
        return as_it_comes;
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
