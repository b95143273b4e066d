//@ engines: tvl; verdict: unsafe
// The second reference is put once more.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct counted {
    int references;
    void (*release)(struct counted *);
};
struct buffer {
    struct counted counted;
    char *bytes;
};

static struct counted *got(struct counted *counted)
{
    counted->references++;
    return counted;
}

static void put(struct counted *counted)
{
    if (--counted->references == 0)
    //~^ use-after-free
        counted->release(counted);
}

static void release_buffer(struct counted *counted)
{
    struct buffer *buffer = (struct buffer *)counted;
    free(buffer->bytes);
    free(buffer);
}

static void release_plain(struct counted *counted)
{
    free(counted);
}

int main(void)
{
    struct counted *first;
    if (__VERIFIER_nondet_int()) {
        struct buffer *buffer = malloc(sizeof *buffer);
        if (!buffer)
            return 0;
        buffer->bytes = malloc(8);
        first = &buffer->counted;
        first->release = release_buffer;
    } else {
        first = malloc(sizeof *first);
        if (!first)
            return 0;
        first->release = release_plain;
    }
    first->references = 1;
    struct counted *second = got(first);
    put(first);
    put(second);
    put(second);
    return 0;
}
