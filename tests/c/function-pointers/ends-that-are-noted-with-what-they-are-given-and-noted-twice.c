//@ engines: tvl; verdict: unsafe
// What was noted as freed at the end is freed by hand, too.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
};
struct end {
    void (*run)(void *);
    void *given;
};

static struct end ends[3];
static int noted;

static void note(void (*run)(void *), void *given)
{
    if (noted < 3) {
        ends[noted].run = run;
        ends[noted].given = given;
        noted++;
    } else {
        run(given);
    }
}

static void free_cell(void *given)
{
    free(given);
    //~^ double-free
}

static void free_list(void *given)
{
    struct cell *list = given;
    while (list) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct cell *one = malloc(sizeof *one);
    note(free_cell, one);
    struct cell *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        if (!cell)
            break;
        cell->next = list;
        list = cell;
    }
    note(free_list, list);
    if (__VERIFIER_nondet_int())
        free(one);
    while (noted > 0) {
        noted--;
        ends[noted].run(ends[noted].given);
    }
    return 0;
}
