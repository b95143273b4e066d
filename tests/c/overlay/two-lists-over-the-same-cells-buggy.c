//@ engines: overlay; verdict: unsafe
// Cells are on a list of all and on a list of those that are idle.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct worker {
    struct worker *next;
    struct worker *idle;
    int id;
};

int main(void)
{
    struct worker *all = NULL, *idle = NULL;
    while (__VERIFIER_nondet_int()) {
        struct worker *worker = malloc(sizeof *worker);
        if (!worker)
            break;
        worker->id = 1;
        worker->next = all;
        all = worker;
        worker->idle = NULL;
        if (__VERIFIER_nondet_int()) {
            worker->idle = idle;
            idle = worker;
        }
    }
    while (all) {
        struct worker *next = all->next;
        free(all);
        all = next;
    }
    int sum = 0;
    while (idle) {
        sum += idle->id; //~ use-after-free
        idle = idle->idle;
    }
    return sum;
}
