//@ engines: graph; verdict: safe
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
    int value;
    struct Node *next;
} Node;

static int push(Node **top, int value)
{
    Node *n = (Node *)malloc(sizeof(Node));
    if (!n)
        return 0;
    n->value = value;
    n->next = *top;
    *top = n;
    return 1;
}

static int pop(Node **top, int *out)
{
    Node *n = *top;
    if (n == NULL)
        return 0;
    *top = n->next;
    *out = n->value;
    free(n);
    return 1;
}

int main(void)
{
    Node *stack = NULL;
    int c, v;
    while ((c = getchar()) != EOF && c != '\n')
        if (!push(&stack, c))
            break;
    while (pop(&stack, &v))
        putchar(v);
    return 0;
}
