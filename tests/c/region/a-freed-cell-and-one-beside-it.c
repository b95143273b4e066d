//@ engines: region; verdict: safe
//@ args: --property heap
// Two objects, of which one has a part: each call takes what it leads to.
#include <stdlib.h>

struct object {
    int value;
    struct object *part;
};

static void release(struct object *object)
{
    while (object) {
        struct object *part = object->part;
        free(object);
        object = part;
    }
}

static struct object *make(struct object *part)
{
    struct object *object = malloc(sizeof *object);
    if (!object)
        exit(0);
    object->value = 1;
    object->part = part;
    return object;
}

int main(void)
{
    struct object *shared = make(NULL);
    struct object *first = make(shared);
    struct object *second = make(NULL);
    release(first);
    release(second);
    return 0;
}
