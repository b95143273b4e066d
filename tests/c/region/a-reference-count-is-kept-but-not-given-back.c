//@ engines: region; verdict: unsafe
//@ args: --property heap
// One reference is never given back: the object and its name are lost.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct object {
    int references;
    char *name;
};

static struct object *object_new(const char *name) {
    struct object *object = malloc(sizeof *object);
    if (!object)
        return NULL;
    object->references = 1;
    object->name = strdup(name);
    if (!object->name) {
        free(object);
        return NULL;
    }
    return object;
}

static struct object *object_get(struct object *object) {
    object->references++;
    return object;
}

static void object_put(struct object *object) {
    if (!object)
        return;
    if (--object->references == 0) {
        free(object->name);
        free(object);
    }
}

int main(void) {
    struct object *object = object_new("first");
    if (!object)
        return 1;
    struct object *other = object_get(object);
    object_put(object);
    puts(other->name);
    return 0; //~ leak
}
