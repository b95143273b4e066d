//@ engines: region; verdict: unsafe
//@ args: --property heap
// The vector is never freed.
#include <stdlib.h>

struct vector {
    int *data;
    size_t length, capacity;
};

static int push(struct vector *vector, int value) {
    if (vector->length == vector->capacity) {
        size_t capacity = vector->capacity ? vector->capacity * 2 : 8;
        int *data = realloc(vector->data, capacity * sizeof *data);
        if (!data)
            return -1;
        vector->data = data;
        vector->capacity = capacity;
    }
    vector->data[vector->length++] = value;
    return 0;
}

int main(void) {
    struct vector vector = {0};
    int status = 0;
    for (int i = 0; i < 20 && status == 0; i++)
        status = push(&vector, i);
    return status; //~ leak
}
