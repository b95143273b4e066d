//@ engines: graph, tvl; verdict: safe
// What is to be done without memory is a function that ends the program.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
};

static void end(void)
{
    exit(0);
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
    void (*without)(void) = end;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = need(sizeof *cell, without);
        cell->next = list;
        list = cell;
    }
    while (list) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
