//@ engines: region; verdict: clean
//@ args: --property heap
// A stack as a library: callers make one, use it and free it, in any order.
#include <stdlib.h>
#include <string.h>

struct cell {
    struct cell *below;
    char *text;
};

struct stack {
    struct cell *top;
};

struct stack *stack_new(void) {
    struct stack *stack = malloc(sizeof *stack);
    if (stack)
        stack->top = NULL;
    return stack;
}

int stack_push(struct stack *stack, const char *text) {
    struct cell *cell = malloc(sizeof *cell);
    if (!cell)
        return -1;
    cell->text = strdup(text);
    if (!cell->text) {
        free(cell);
        return -1;
    }
    cell->below = stack->top;
    stack->top = cell;
    return 0;
}

char *stack_pop(struct stack *stack) {
    struct cell *cell = stack->top;
    char *text;
    if (!cell)
        return NULL;
    text = cell->text;
    stack->top = cell->below;
    free(cell);
    return text;
}

void stack_free(struct stack *stack) {
    struct cell *cell, *below;
    if (!stack)
        return;
    for (cell = stack->top; cell; cell = below) {
        below = cell->below;
        free(cell->text);
        free(cell);
    }
    free(stack);
}
