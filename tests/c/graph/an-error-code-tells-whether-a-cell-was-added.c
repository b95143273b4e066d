//@ engines: graph; verdict: safe
/* Callers work on `stack` through its address; the error code decides whether there is a cell to take off. */
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

static int push(struct node **stack, int data)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        return -1;
    node->data = data;
    node->next = *stack;
    *stack = node;
    return 0;
}

int main(void)
{
    struct node *stack = NULL;
    if (push(&stack, 1) < 0)
        goto out;
    struct node *top = stack;
    stack = top->next;
    free(top);
out:
    return 0;
}
