//@ engines: explicit; verdict: safe
// A linked stack. Pop trusts its caller never to pop an empty stack.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    int value;
    struct node *next;
};

static int push(struct node **top, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return -1;
    node->value = value;
    node->next = *top;
    *top = node;
    return 0;
}

static int pop(struct node **top)
{
    struct node *node = *top;
    if (!node)
        return -1;
    int value = node->value;
    *top = node->next;
    free(node);
    return value;
}

int main(void)
{
    struct node *top = NULL;
    for (int i = 0; i < 4; i++) {
        if (__VERIFIER_nondet_bool())
            push(&top, i);
        else
            pop(&top);
    }
    while (top)
        pop(&top);
    return 0;
}
