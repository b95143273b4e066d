//@ engines: overlay; verdict: safe
// Cells own buffers whose size the input says.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct buffer {
    unsigned char *bytes;
    unsigned size;
    struct buffer *next;
};

static struct buffer *receive(void)
{
    unsigned size = (unsigned)__VERIFIER_nondet_int();
    if (size == 0 || size > 65536)
        return NULL;
    struct buffer *buffer = malloc(sizeof *buffer);
    if (!buffer)
        return NULL;
    buffer->bytes = malloc(size);
    if (!buffer->bytes) {
        free(buffer);
        return NULL;
    }
    for (unsigned i = 0; i < size; i++)
        buffer->bytes[i] = 0;
    buffer->size = size;
    buffer->next = NULL;
    return buffer;
}

int main(void)
{
    struct buffer *head = NULL, *tail = NULL;
    struct buffer *buffer;
    while ((buffer = receive()) != NULL) {
        if (tail)
            tail->next = buffer;
        else
            head = buffer;
        tail = buffer;
    }
    while (head) {
        struct buffer *next = head->next;
        free(head->bytes);
        free(head);
        head = next;
    }
    return 0;
}
