//@ engines: overlay; verdict: safe
// A TAILQ: each element knows the address of the link to it, the head that of the last link.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
    int priority;
    struct job *next;
    struct job **prev;
};

struct queue {
    struct job *first;
    struct job **last;
};

static void insert_tail(struct queue *queue, struct job *job)
{
    job->next = NULL;
    job->prev = queue->last;
    *queue->last = job;
    queue->last = &job->next;
}

static void take(struct queue *queue, struct job *job)
{
    if (job->next)
        job->next->prev = job->prev;
    else
        queue->last = job->prev;
    *job->prev = job->next;
}

int main(void)
{
    struct queue queue;
    queue.first = NULL;
    queue.last = &queue.first;
    while (__VERIFIER_nondet_int()) {
        struct job *job = malloc(sizeof *job);
        if (!job)
            break;
        job->priority = __VERIFIER_nondet_int();
        insert_tail(&queue, job);
    }
    struct job *job = queue.first;
    while (job) {
        struct job *next = job->next;
        if (job->priority < 0) {
            take(&queue, job);
            free(job);
        }
        job = next;
    }
    while (queue.first) {
        job = queue.first;
        take(&queue, job);
        free(job);
    }
    return 0;
}
