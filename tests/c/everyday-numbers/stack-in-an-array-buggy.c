//@ engines: auto; verdict: unsafe
#include <stdio.h>
#define DEPTH 32

static int stack[DEPTH];
static int top;

static int push(int x) {
    if (top > DEPTH) return -1;
    stack[top++] = x; //~ out-of-bounds
    return 0;
}

static int pop(int *x) {
    if (top == 0) return -1;
    *x = stack[--top]; //~ may out-of-bounds
    return 0;
}

int main(void) {
    int c, x;
    while ((c = getchar()) != EOF) {
        if (c == '-') {
            if (pop(&x) == 0) printf("%d\n", x);
        } else if (push(c) < 0)
            return 1;
    }
    return 0;
}
