//@ engines: explicit; verdict: safe
// Reference-counted nodes: the list's reference is given back before the node is read.
#include <stdlib.h>

struct object {
    int references;
    int value;
    struct object *next;
};

static struct object *get(struct object *object)
{
    object->references++;
    return object;
}

static void put(struct object *object)
{
    if (--object->references == 0)
        free(object);
}

static struct object *make(int value)
{
    struct object *object = malloc(sizeof *object);
    if (object) {
        object->references = 1;
        object->value = value;
        object->next = NULL;
    }
    return object;
}

static int take_first(struct object **list)
{
    struct object *first = *list;
    *list = first->next;
    int value = first->value;
    put(first);
    return value;
}

int main(void)
{
    struct object *list = make(1);
    if (!list)
        return 1;
    list->next = make(2);
    struct object *held = get(list);
    int sum = take_first(&list);
    put(held);
    while (list)
        sum += take_first(&list);
    return sum > 3;
}
