//@ engines: overlay; verdict: safe
// A ring whose links share their place with another member, as in Linux' `struct request`.
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
    head->prev->next = new;
    head->prev = new;
}

static void del(struct list_head *entry)
{
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
}

int main(void)
{
    struct list_head head = {&head, &head};
    struct request *rq;
    while (__VERIFIER_nondet_int()) {
        rq = calloc(1, sizeof *rq);
        if (!rq)
            break;
        add_tail(&rq->queuelist, &head);
    }
    while (head.next != &head) {
        rq = (struct request *)((char *)head.next - __builtin_offsetof(struct request, queuelist));
        del(&rq->queuelist);
        free(rq);
    }
    return 0;
}
