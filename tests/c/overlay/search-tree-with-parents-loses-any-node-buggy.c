//@ engines: overlay; verdict: unsafe
// The parent of what was below on the left stays the node that is freed.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
    struct job *up, *low, *high;
    int priority;
};

static struct job *jobs;

static void put(struct job *job)
{
    struct job *up = 0, *at = jobs;
    while (at) {
        up = at;
        at = job->priority < at->priority ? at->low : at->high;
    }
    job->up = up;
    job->low = job->high = 0;
    if (!up)
        jobs = job;
    else if (job->priority < up->priority)
        up->low = job;
    else
        up->high = job;
}

static void replace(struct job *old, struct job *new)
{
    struct job *up = old->up;
    if (!up)
        jobs = new;
    else if (up->low == old) //~ use-after-free
        up->low = new;
    else
        up->high = new;
    if (new)
        new->up = up;
}

static void take(struct job *job)
{
    if (!job->low) {
        replace(job, job->high);
    } else if (!job->high) {
        replace(job, job->low);
    } else {
        struct job *next = job->high;
        while (next->low)
            next = next->low;
        if (next->up != job) {
            replace(next, next->high);
            next->high = job->high;
            next->high->up = next;
        }
        replace(job, next);
        next->low = job->low;
    }
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            struct job *job = malloc(sizeof *job);
            if (!job)
                return 0;
            job->priority = __VERIFIER_nondet_int();
            put(job);
        } else {
            int priority = __VERIFIER_nondet_int();
            struct job *job = jobs;
            while (job && job->priority != priority)
                job = priority < job->priority ? job->low : job->high;
            if (job) {
                take(job);
                free(job);
            }
        }
    }
    return 0;
}
