//@ engines: region; verdict: unknown
//@ args: --property heap
// The data is never freed, whatever the object says: it is reported where the caller loses it, so no run confirms it there.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct buffer {
    char *data;
    int is_borrowed;
    unsigned magic;
};

static char text[8];

static int is_sane(const struct buffer *buffer) {
    return buffer->magic == 77;
}

static struct buffer *buffer_new(int borrow) {
    struct buffer *buffer = malloc(sizeof *buffer);
    if (!buffer)
        return NULL;
    buffer->magic = 77;
    buffer->is_borrowed = borrow;
    buffer->data = text;
    if (!borrow) {
        buffer->data = malloc(8);
        if (!buffer->data) {
            free(buffer);
            return NULL;
        }
    }
    return buffer;
}

static void buffer_free(struct buffer *buffer) {
    if (buffer == NULL || !is_sane(buffer))
        return;
    free(buffer);
}

int main(void) {
    struct buffer *buffer = buffer_new(__VERIFIER_nondet_int());
    if (!buffer)
        return 1;
    buffer->data[0] = 1;
    buffer_free(buffer); //~ leak
    return 0;
}
