//@ engines: tvl, overlay; verdict: safe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct item {
    struct item *next;
    void (*destroy)(struct item *);
};

struct buffer {
    struct item item;
    char *bytes;
};

static void destroy_plain(struct item *item)
{
    free(item);
}

static void destroy_buffer(struct item *item)
{
    struct buffer *buffer = (struct buffer *)item;
    free(buffer->bytes);
    free(buffer);
}

int main(void)
{
    struct item *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *made;
        if (__VERIFIER_nondet_int()) {
            struct buffer *buffer = malloc(sizeof *buffer);
            if (!buffer)
                break;
            buffer->bytes = malloc(8);
            made = &buffer->item;
            made->destroy = destroy_buffer;
        } else {
            made = malloc(sizeof *made);
            if (!made)
                break;
            made->destroy = destroy_plain;
        }
        made->next = list;
        list = made;
    }
    while (list) {
        struct item *next = list->next;
        list->destroy(list);
        list = next;
    }
    return 0;
}
