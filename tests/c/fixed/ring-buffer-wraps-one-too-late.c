//@ engines: explicit; verdict: safe
// A bounded queue of nodes in an array: the write index wraps after the end, not at it.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

enum { SLOTS = 2 };

struct packet {
    int size;
};

struct fifo {
    int count, in, out;
};

static struct packet **slots;

static void put(struct fifo *fifo, struct packet *packet)
{
    if (!packet || fifo->count == SLOTS) {
        free(packet);
        return;
    }
    slots[fifo->in] = packet;
    if (++fifo->in == SLOTS)
        fifo->in = 0;
    fifo->count++;
}

static void drop(struct fifo *fifo)
{
    if (fifo->count == 0)
        return;
    free(slots[fifo->out]);
    fifo->out = (fifo->out + 1) % SLOTS;
    fifo->count--;
}

int main(void)
{
    struct fifo fifo = { 0 };
    slots = calloc(SLOTS, sizeof *slots);
    if (!slots)
        return 1;
    for (int i = 0; i < 5; i++) {
        if (__VERIFIER_nondet_bool())
            put(&fifo, malloc(sizeof(struct packet)));
        else
            drop(&fifo);
    }
    while (fifo.count > 0)
        drop(&fifo);
    free(slots);
    return 0;
}
