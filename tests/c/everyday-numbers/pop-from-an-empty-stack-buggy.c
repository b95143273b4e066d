//@ engines: auto; verdict: unsafe
#include <stdio.h>

struct stack {
    int items[64];
    int n;
};

static void push(struct stack *s, int item) {
    if (s->n < 64)
        s->items[s->n++] = item;
}

static int pop(struct stack *s) {
    return s->items[--s->n]; //~ out-of-bounds
}

int main(void) {
    struct stack s;
    s.n = 0;
    int x;
    while (scanf("%d", &x) == 1) {
        if (x >= 0)
            push(&s, x);
        else
            printf("%d\n", pop(&s)); //~ may uninitialised
    }
    return 0;
}
