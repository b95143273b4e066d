//@ engines: overlay; verdict: safe
// The last cell of each queue leads to itself. They are drained.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

struct queue {
    struct node *head, *tail;
};

static void put(struct queue *queue)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->value = 1;
    node->next = node;
    if (!queue->head)
        queue->head = node;
    else
        queue->tail->next = node;
    queue->tail = node;
}

static void drain(struct queue *queue)
{
    while (queue->head) {
        struct node *node = queue->head;
        queue->head = node->next == node ? NULL : node->next;
        free(node);
    }
}

int main(void)
{
    struct queue hot = {0}, cold = {0};
    while (__VERIFIER_nondet_int())
        put(__VERIFIER_nondet_int() ? &hot : &cold);
    drain(&hot);
    drain(&cold);
    return 0;
}
