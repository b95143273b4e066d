//@ engines: overlay; verdict: unsafe
// As `links-within-a-union.c`, but a request is freed while it is on the ring.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head {
    struct list_head *next, *prev;
};

struct request {
    void *queue;
    union {
        struct list_head queuelist;
        struct request *rq_next;
    };
    int tag;
};

static void add_tail(struct list_head *new, struct list_head *head)
{
    new->next = head;
    new->prev = head->prev;
    head->prev->next = new; //~ use-after-free
    head->prev = new;
}

int main(void)
{
    struct list_head head = {&head, &head};
    while (__VERIFIER_nondet_int()) {
        struct request *rq = calloc(1, sizeof *rq);
        if (!rq)
            break;
        add_tail(&rq->queuelist, &head);
        free(rq);
    }
    return 0;
}
