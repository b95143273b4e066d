//@ engines: overlay; verdict: unsafe
// BSD TAILQ: a tail pointer to the last link, and links back to links.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
    int priority;
    struct {
        struct job *tqe_next;
        struct job **tqe_prev;
    } entry;
};

struct queue {
    struct job *tqh_first;
    struct job **tqh_last;
};

static void queue_init(struct queue *queue)
{
    queue->tqh_first = NULL;
    queue->tqh_last = &queue->tqh_first;
}

static void insert_tail(struct queue *queue, struct job *job)
{
    job->entry.tqe_next = NULL;
    job->entry.tqe_prev = queue->tqh_last;
    *queue->tqh_last = job; //~ use-after-free
    queue->tqh_last = &job->entry.tqe_next;
}

static void remove_job(struct queue *queue, struct job *job)
{
    if (job->entry.tqe_next)
        job->entry.tqe_next->entry.tqe_prev = job->entry.tqe_prev;
    *job->entry.tqe_prev = job->entry.tqe_next;
}

int main(void)
{
    struct queue queue;
    queue_init(&queue);
    while (__VERIFIER_nondet_int()) {
        struct job *job = malloc(sizeof *job);
        if (!job)
            break;
        job->priority = __VERIFIER_nondet_int();
        insert_tail(&queue, job);
    }
    for (struct job *job = queue.tqh_first, *next; job; job = next) {
        next = job->entry.tqe_next;
        if (job->priority < 0) {
            remove_job(&queue, job);
            free(job);
        }
    }
    struct job *late = malloc(sizeof *late);
    if (!late)
        abort();
    insert_tail(&queue, late);
    while (queue.tqh_first) {
        struct job *job = queue.tqh_first;
        remove_job(&queue, job);
        free(job);
    }
    return 0;
}
