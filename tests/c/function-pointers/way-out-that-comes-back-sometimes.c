//@ engines: graph, tvl; verdict: unsafe
// Another one says something and comes back.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
};

static void end(void)
{
    exit(0);
}

static void go_on(void)
{
}

static void *need(size_t bytes, void (*without)(void))
{
    void *memory = malloc(bytes);
    if (!memory)
        without();
    return memory;
}

int main(void)
{
    struct cell *list = NULL;
    void (*without)(void) = __VERIFIER_nondet_int() ? end : go_on;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = need(sizeof *cell, without);
        cell->next = list;
    //~^ null-deref
        list = cell;
    }
    while (list) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
