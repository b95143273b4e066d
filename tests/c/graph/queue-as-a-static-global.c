//@ engines: graph; verdict: safe
#include <stdlib.h>
#include "heapwise.h"
int __VERIFIER_nondet_int(void);

struct job { int prio; struct job *next; };
static struct { struct job *first, *last; } jobs;

static void submit(int prio)
{
    struct job *j = calloc(1, sizeof(struct job));
    if (!j)
        exit(1);
    j->prio = prio;
    if (jobs.first == NULL)
        jobs.first = j;
    else
        jobs.last->next = j;
    jobs.last = j;
}

static void run_one(void)
{
    struct job *j = jobs.first;
    if (!j)
        return;
    jobs.first = j->next;
    if (!jobs.first)
        jobs.last = NULL;
    free(j);
}

int main(int argc, char **argv)
{
    int i;
    (void)argv;
    for (i = 0; i < argc; i++) {
        submit(i);
        if (i % 3 == 0)
            run_one();
    }
    hw_assert_acyclic(jobs.first);
    while (jobs.first)
        run_one();
    return 0;
}
