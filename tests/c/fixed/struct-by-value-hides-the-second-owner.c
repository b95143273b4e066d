//@ engines: explicit; verdict: safe
// A stack passed by value: the callee frees the items of its copy, and the caller frees them again.
#include <stdlib.h>

struct stack {
    int *items;
    int used, capacity;
};

static _Bool push(struct stack *stack, int item)
{
    if (stack->used == stack->capacity) {
        int *items = realloc(stack->items, (stack->capacity + 2) * sizeof *items);
        if (!items)
            return 0;
        stack->items = items;
        stack->capacity += 2;
    }
    stack->items[stack->used++] = item;
    return 1;
}

static int drain(struct stack stack)
{
    int sum = 0;
    while (stack.used > 0)
        sum += stack.items[--stack.used];
    return sum;
}

int main(void)
{
    struct stack stack = { NULL, 0, 0 };
    for (int i = 0; i < 3; i++)
        if (!push(&stack, i))
            break;
    int sum = drain(stack);
    free(stack.items);
    return sum > 3;
}
