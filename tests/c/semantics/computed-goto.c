//@ differential
// A small threaded interpreter.
#include <stdio.h>

enum { PUSH, ADD, MUL, DUP, PRINT, HALT };

int main(void)
{
    static void *const labels[] = { &&push, &&add, &&mul, &&dup, &&print, &&halt };
    int code[] = { PUSH, 3, PUSH, 4, ADD, DUP, MUL, PRINT, PUSH, 9, PRINT, HALT };
    int stack[8], top = 0, pc = 0;
#define NEXT goto *labels[code[pc++]]
    NEXT;
push:
    stack[top++] = code[pc++];
    NEXT;
add:
    top--;
    stack[top - 1] += stack[top];
    NEXT;
mul:
    top--;
    stack[top - 1] *= stack[top];
    NEXT;
dup:
    stack[top] = stack[top - 1];
    top++;
    NEXT;
print:
    printf("%d\n", stack[--top]);
    NEXT;
halt:
    return top;
}
