//@ engines: explicit; verdict: safe
// Nodes that live in a growing vector and are linked by pointers: growing moves them.
#include <stdlib.h>

struct slot {
    int value;
    int next;
};

struct arena {
    struct slot *slots;
    int used, capacity;
};

static int fresh(struct arena *arena)
{
    if (arena->used == arena->capacity) {
        int capacity = arena->capacity ? 2 * arena->capacity : 2;
        struct slot *slots = realloc(arena->slots, capacity * sizeof *slots);
        if (!slots)
            return -1;
        arena->slots = slots;
        arena->capacity = capacity;
    }
    return arena->used++;
}

int main(void)
{
    struct arena arena = { NULL, 0, 0 };
    int list = -1;
    for (int i = 0; i < 3; i++) {
        int slot = fresh(&arena);
        if (slot < 0)
            break;
        arena.slots[slot].value = i;
        arena.slots[slot].next = list;
        list = slot;
    }
    int sum = 0;
    for (int slot = list; slot >= 0; slot = arena.slots[slot].next)
        sum += arena.slots[slot].value;
    free(arena.slots);
    return sum > 3;
}
