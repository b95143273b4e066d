//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int *items;
    int count;
    int capacity;
};

static int push(struct vector *v, int item) {
    if (v->count == v->capacity) {
        int capacity = v->capacity + 16;
        int *items = realloc(v->items, capacity * sizeof(int));
        if (!items) return -1;
        v->items = items;
        v->capacity = capacity;
    }
    v->items[v->count++] = item;
    return 0;
}

int main(void) {
    struct vector v = {NULL, 0, 0};
    for (int i = 0; i < 100; i++)
        if (push(&v, i) < 0) {
            free(v.items);
            return 1;
        }
    printf("%d\n", v.items[v.capacity]); //~ out-of-bounds
    free(v.items);
    return 0;
}
