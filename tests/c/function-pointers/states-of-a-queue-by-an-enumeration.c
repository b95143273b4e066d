//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

enum state { FILL, DRAIN, DONE };

struct queue {
    struct node *head, *tail;
};

static enum state fill(struct queue *queue) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        return DRAIN;
    node->key = 0;
    node->next = NULL;
    if (queue->tail)
        queue->tail->next = node;
    else
        queue->head = node;
    queue->tail = node;
    return __VERIFIER_nondet_int() ? FILL : DRAIN;
}

static enum state drain(struct queue *queue) {
    struct node *node = queue->head;
    if (!node)
        return __VERIFIER_nondet_int() ? FILL : DONE;
    queue->head = node->next;
    if (!queue->head)
        queue->tail = NULL;
    free(node);
    return DRAIN;
}

static enum state (*const steps[])(struct queue *) = { fill, drain };

int main(void) {
    struct queue queue = { NULL, NULL };
    enum state state = FILL;
    while (state != DONE)
        state = steps[state](&queue);
    return 0;
}
