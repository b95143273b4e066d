//@ engines: overlay; verdict: unsafe
// A ring buffer: an array with two indices that wrap around.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define SIZE 128

struct ring {
    unsigned head, tail;
    char data[SIZE];
};

static int put(struct ring *ring, char c)
{
    unsigned next = (ring->head + 1) % (SIZE + 1);
    if (next == ring->tail)
        return 0;
    ring->data[ring->head] = c; //~ out-of-bounds
    ring->head = next;
    return 1;
}

static int get(struct ring *ring, char *c)
{
    if (ring->head == ring->tail)
        return 0;
    *c = ring->data[ring->tail];
    ring->tail = (ring->tail + 1) % SIZE;
    return 1;
}

int main(void)
{
    struct ring *ring = calloc(1, sizeof *ring);
    if (!ring)
        return 1;
    char c = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            put(ring, 'a');
        else
            get(ring, &c);
    }
    free(ring);
    return c;
}
