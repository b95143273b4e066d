//@ engines: graph; verdict: unknown
/* The record of the queue is a heap cell that points to cells of another type: outside the class. */
#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct queue { struct cell *head, *tail; };

int main(void)
{
    struct queue *q = malloc(sizeof *q);
    if (!q)
        return 1;
    q->head = NULL;
    q->tail = NULL;
    struct cell *c = malloc(sizeof *c);
    if (c) {
        c->v = 1;
        c->next = NULL;
        q->head = q->tail = c;
    }
    if (q->head)
        free(q->head);
    free(q);
    return 0;
}
