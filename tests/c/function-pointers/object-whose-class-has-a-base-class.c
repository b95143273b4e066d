//@ engines: tvl; verdict: safe
// A class points to its base; an operation that it does not have itself is looked for there.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct object;
struct class {
    const struct class *base;
    void (*release)(struct object *);
};
struct object {
    const struct class *class;
    struct object *next;
    int *extra;
};

static void release_object(struct object *object)
{
    free(object);
}

static const struct class plain = {NULL, release_object};

static void release_extra(struct object *object)
{
    free(object->extra);
    object->extra = NULL;
    plain.release(object);
}

static const struct class silent = {&plain, NULL};
static const struct class extended = {&plain, release_extra};

static void release(struct object *object)
{
    const struct class *class = object->class;
    while (!class->release)
        class = class->base;
    class->release(object);
}

int main(void)
{
    struct object *objects = NULL;
    while (__VERIFIER_nondet_int()) {
        struct object *object = malloc(sizeof *object);
        if (!object)
            break;
        int kind = __VERIFIER_nondet_int();
        object->class = kind == 0 ? &plain : kind == 1 ? &silent : &extended;
        object->extra = kind == 0 || kind == 1 ? NULL : malloc(sizeof(int));
        object->next = objects;
        objects = object;
    }
    while (objects) {
        struct object *object = objects;
        objects = object->next;
        release(object);
    }
    return 0;
}
