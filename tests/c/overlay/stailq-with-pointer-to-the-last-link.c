//@ engines: overlay; verdict: safe
// A queue whose tail is the address of the last link.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct packet {
    struct packet *next;
    unsigned char data[16];
};

struct fifo {
    struct packet *first;
    struct packet **last;
};

static void push(struct fifo *fifo, struct packet *packet)
{
    packet->next = NULL;
    *fifo->last = packet;
    fifo->last = &packet->next;
}

static struct packet *pop(struct fifo *fifo)
{
    struct packet *packet = fifo->first;
    if (packet) {
        fifo->first = packet->next;
        if (!fifo->first)
            fifo->last = &fifo->first;
    }
    return packet;
}

int main(void)
{
    struct fifo fifo;
    fifo.first = NULL;
    fifo.last = &fifo.first;
    for (;;) {
        int command = __VERIFIER_nondet_int();
        if (command == 0)
            break;
        if (command == 1) {
            struct packet *packet = malloc(sizeof *packet);
            if (packet)
                push(&fifo, packet);
        } else {
            struct packet *packet = pop(&fifo);
            free(packet);
        }
    }
    struct packet *packet;
    while ((packet = pop(&fifo)))
        free(packet);
    return 0;
}
