//@ engines: explicit; verdict: safe
// A queue with a tail pointer, which is null while the queue is empty.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
    int priority;
    struct job *next;
};

struct queue {
    struct job *head;
    struct job *tail;
    unsigned length;
};

static _Bool enqueue(struct queue *queue, int priority)
{
    struct job *job = malloc(sizeof *job);
    if (job == NULL)
        return 0;
    *job = (struct job){ .priority = priority };
    if (queue->tail)
        queue->tail->next = job;
    else
        queue->head = job;
    queue->tail = job;
    queue->length++;
    return 1;
}

static _Bool dequeue(struct queue *queue, int *priority)
{
    struct job *job = queue->head;
    if (!job)
        return 0;
    *priority = job->priority;
    queue->head = job->next;
    if (!queue->head)
        queue->tail = NULL;
    queue->length--;
    free(job);
    return 1;
}

int main(void)
{
    struct queue queue = { 0 };
    int total = 0, priority;
    for (int i = 0; i < 3; i++)
        if (!enqueue(&queue, __VERIFIER_nondet_int() & 7))
            break;
    while (dequeue(&queue, &priority))
        total += priority;
    return total > 100;
}
