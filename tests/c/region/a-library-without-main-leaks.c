//@ engines: region; verdict: unknown
//@ args: --property heap
// The same library, but a cell is lost where its text cannot be copied, and texts are lost with the stack.
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
    if (!cell->text)
        return -1; //~ leak
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

void stack_free(struct stack *stack) { //~ leak
    struct cell *cell, *below;
    if (!stack)
        return;
    for (cell = stack->top; cell; cell = below) {
        below = cell->below;
        free(cell);
    }
    free(stack);
}
