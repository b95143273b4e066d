//@ engines: region; verdict: unsafe
//@ args: --property heap
// The wrapper knows no field of what it clears; its caller must not go on with the count that it knew.
#include <stdlib.h>
#include <string.h>

struct object {
    int value;
    int references;
};

static void clear(void *bytes, size_t size) {
    memset(bytes, 0, size);
}

static void put(struct object *object) {
    if (--object->references == 0)
        free(object);
}

int main(void) {
    struct object *object = malloc(sizeof *object);
    if (!object)
        return 1;
    object->value = 3;
    object->references = 1;
    clear(object, sizeof *object);
    put(object);
    return 0; //~ leak
}
