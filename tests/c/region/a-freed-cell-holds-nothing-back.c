//@ engines: region; verdict: unsafe
//@ args: --property heap
// Two objects share a third, and nobody counts: the first one takes it away, and the second still leads to it. The variable of
// the first is still there at the second call, but what it leads to is not.
#include <stdlib.h>

struct object {
    int value;
    struct object *part;
};

static void release(struct object *object)
{
    while (object) {
        struct object *part = object->part; //~ use-after-free
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
    struct object *second = make(shared);
    release(first);
    release(second);
    return 0;
}
