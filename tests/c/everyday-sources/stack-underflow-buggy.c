//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
static int stack[16];
static int top = 0;
static void push(int x) {
    if (top < 16)
        stack[top++] = x;
}
static int pop(void) {
    return stack[--top]; //~ out-of-bounds
}
int main(void) {
    for (int i = 0; i < 3; i++)
        push(rand());
    for (int i = 0; i < 4; i++)
        printf("%d\n", pop());
    return 0;
}
