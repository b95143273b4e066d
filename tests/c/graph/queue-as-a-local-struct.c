//@ engines: graph; verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

struct item { int id; struct item *next; };
struct queue { struct item *head; struct item *tail; int count; };

static void init(struct queue *q)
{
    q->head = q->tail = NULL;
    q->count = 0;
}

static int enqueue(struct queue *q, int id)
{
    struct item *it = malloc(sizeof *it);
    if (it == NULL)
        return -1;
    it->id = id;
    it->next = NULL;
    if (q->tail)
        q->tail->next = it;
    else
        q->head = it;
    q->tail = it;
    q->count++;
    return 0;
}

static int dequeue(struct queue *q)
{
    struct item *it = q->head;
    int id;
    if (!it)
        return -1;
    id = it->id;
    q->head = it->next;
    if (q->head == NULL)
        q->tail = NULL;
    free(it);
    q->count--;
    return id;
}

int main(void)
{
    struct queue q;
    init(&q);
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            enqueue(&q, __VERIFIER_nondet_int());
        else
            dequeue(&q);
    }
    while (q.head != NULL)
        dequeue(&q);
    return 0;
}
