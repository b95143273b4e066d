//@ engines: graph; verdict: safe
#include <stdlib.h>
#include "heapwise.h"
int __VERIFIER_nondet_int(void);
struct slot { char data; struct slot *next; };

static struct slot *ring_new(int n)
{
    struct slot *head, *p;
    head = calloc(1, sizeof *head);
    if (!head)
        return NULL;
    head->next = head;
    p = head;
    while (--n > 0) {
        p->next = calloc(1, sizeof *p);
        if (!p->next) {
            p->next = head;
            return head;
        }
        p = p->next;
        p->next = head;
    }
    return head;
}

static void ring_free(struct slot *head)
{
    struct slot *p;
    if (head == NULL)
        return;
    p = head->next;
    while (p != head) {
        struct slot *next = p->next;
        free(p);
        p = next;
    }
    free(head);
}

int main(void)
{
    struct slot *ring = ring_new(__VERIFIER_nondet_int());
    if (ring) {
        struct slot *p = ring;
        hw_assert_cyclic(ring);
        do {
            p->data++;
            p = p->next;
        } while (p != ring);
    }
    ring_free(ring);
    return 0;
}
