//@ engines: overlay; verdict: safe
// Buffers and numbers begin with the same record, which links them; its operations know which it is.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct object;

struct operations {
    int (*get)(struct object *);
    void (*release)(struct object *);
};

struct object {
    const struct operations *operations;
    struct object *next, *prev;
};

struct buffer {
    struct object object;
    char *data;
};

struct number {
    struct object object;
    int value;
    int used[4];
};

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        abort();
    return memory;
}

static int buffer_get(struct object *object)
{
    struct buffer *buffer = (struct buffer *)object;
    return buffer->data[0];
}

static void buffer_release(struct object *object)
{
    struct buffer *buffer = (struct buffer *)object;
    free(buffer->data);
    free(buffer);
}

static int number_get(struct object *object)
{
    struct number *number = (struct number *)object;
    return number->value;
}

static void number_release(struct object *object)
{
    free(object);
}

static const struct operations buffer_operations = { buffer_get, buffer_release };
static const struct operations number_operations = { number_get, number_release };

static struct object *head;

static void push(struct object *object)
{
    object->prev = NULL;
    object->next = head;
    if (head)
        head->prev = object;
    head = object;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            struct buffer *buffer = allocate(sizeof *buffer);
            buffer->data = allocate(4);
            buffer->data[0] = 'x';
            buffer->object.operations = &buffer_operations;
            push(&buffer->object);
        } else {
            struct number *number = allocate(sizeof *number);
            number->value = 1;
            number->object.operations = &number_operations;
            push(&number->object);
        }
    }
    int sum = 0;
    for (struct object *object = head; object; object = object->next)
        sum |= object->operations->get(object);
    while (head) {
        struct object *object = head;
        head = object->next;
        if (head)
            head->prev = NULL;
        object->operations->release(object);
    }
    return sum != 0;
}
