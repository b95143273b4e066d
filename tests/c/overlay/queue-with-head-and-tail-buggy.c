//@ engines: overlay; verdict: unsafe
// A queue in a header record with both ends.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

struct queue {
    struct node *head, *tail;
};

static void enqueue(struct queue *queue, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->value = value;
    node->next = NULL;
    if (queue->tail)
        queue->tail->next = node; //~ use-after-free
    else
        queue->head = node;
    queue->tail = node;
}

static int dequeue(struct queue *queue)
{
    struct node *node = queue->head;
    if (!node)
        return -1;
    int value = node->value;
    queue->head = node->next;
    free(node);
    return value;
}

int main(void)
{
    struct queue queue = { NULL, NULL };
    int sum = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            enqueue(&queue, __VERIFIER_nondet_int());
        else
            sum += dequeue(&queue);
    }
    while (queue.head)
        sum += dequeue(&queue);
    return sum;
}
