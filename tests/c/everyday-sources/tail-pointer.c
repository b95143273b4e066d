//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
struct item { int id; struct item *next; };
struct queue { struct item *head, *tail; };
static int put(struct queue *q, int id) {
    struct item *i = malloc(sizeof *i);
    if (!i)
        return 0;
    i->id = id;
    i->next = NULL;
    if (q->tail)
        q->tail->next = i;
    else
        q->head = i;
    q->tail = i;
    return 1;
}
int main(void) {
    struct queue q = { NULL, NULL };
    for (int i = 0; i < 3; i++)
        put(&q, i);
    while (q.head) {
        struct item *i = q.head;
        q.head = i->next;
        free(i);
    }
    return 0;
}
