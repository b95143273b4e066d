//@ engines: overlay; verdict: unknown
// Packets have as many bytes as the input says behind their header.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct packet {
    struct packet *next;
    unsigned size;
    unsigned char bytes[];
};

static struct packet *packet_new(unsigned size)
{
    if (size > 4096)
        return NULL;
    struct packet *packet = malloc(sizeof *packet + size);
    if (!packet)
        return NULL;
    packet->next = NULL;
    packet->size = size;
    for (unsigned i = 0; i < size; i++)
        packet->bytes[i] = (unsigned char)i;
    return packet;
}

int main(void)
{
    struct packet *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct packet *packet = packet_new((unsigned)__VERIFIER_nondet_int());
        if (!packet)
            continue;
        packet->next = list;
        list = packet;
    }
    unsigned total = 0;
    for (struct packet *packet = list; packet; packet = packet->next)
        total += packet->size; //~ may out-of-bounds
    while (list) {
        struct packet *next = list->next;
        free(list);
        list = next;
    }
    return (int)total;
}
