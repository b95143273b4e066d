//@ engines: explicit; verdict: safe
// Pop hands its node to the caller, who must free it.
#include <stdlib.h>

struct frame {
    int line;
    struct frame *below;
};

static void push(struct frame **stack, int line)
{
    struct frame *frame = malloc(sizeof *frame);
    if (!frame)
        return;
    frame->line = line;
    frame->below = *stack;
    *stack = frame;
}

static struct frame *pop(struct frame **stack)
{
    struct frame *frame = *stack;
    if (frame)
        *stack = frame->below;
    return frame;
}

int main(void)
{
    struct frame *stack = NULL;
    push(&stack, 10);
    push(&stack, 20);
    free(pop(&stack));
    while (stack)
        free(pop(&stack));
    return 0;
}
