//@ engines: explicit; verdict: safe
// When realloc fails the old block stays allocated, but its address was just overwritten.
#include <stdlib.h>

struct node {
    int value;
};

struct vector {
    struct node **nodes;
    unsigned used, capacity;
};

static _Bool add(struct vector *vector, int value)
{
    if (vector->used == vector->capacity) {
        unsigned capacity = vector->capacity + 2;
        struct node **nodes = realloc(vector->nodes, capacity * sizeof *vector->nodes);
        if (!nodes)
            return 0;
        vector->nodes = nodes;
        vector->capacity = capacity;
    }
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    node->value = value;
    vector->nodes[vector->used++] = node;
    return 1;
}

int main(void)
{
    struct vector vector = { NULL, 0, 0 };
    for (int i = 0; i < 3; i++)
        if (!add(&vector, i))
            break;
    for (unsigned i = 0; i < vector.used; i++)
        free(vector.nodes[i]);
    free(vector.nodes);
    return 0;
}
