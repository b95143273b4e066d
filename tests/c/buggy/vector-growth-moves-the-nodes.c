//@ engines: explicit; verdict: unsafe
// Nodes that live in a growing vector and are linked by pointers: growing moves them.
#include <stdlib.h>

struct slot {
    int value;
    struct slot *next;
};

struct arena {
    struct slot *slots;
    int used, capacity;
};

static struct slot *fresh(struct arena *arena)
{
    if (arena->used == arena->capacity) {
        int capacity = arena->capacity ? 2 * arena->capacity : 2;
        struct slot *slots = realloc(arena->slots, capacity * sizeof *slots);
        if (!slots)
            return NULL;
        arena->slots = slots;
        arena->capacity = capacity;
    }
    return &arena->slots[arena->used++];
}

int main(void)
{
    struct arena arena = { NULL, 0, 0 };
    struct slot *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct slot *slot = fresh(&arena);
        if (!slot)
            break;
        slot->value = i;
        slot->next = list;
        list = slot;
    }
    int sum = 0;
    for (struct slot *slot = list; slot; slot = slot->next)
        sum += slot->value; //~ use-after-free
    free(arena.slots);
    return sum > 3;
}
