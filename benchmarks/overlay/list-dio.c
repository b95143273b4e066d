// A scheduler of requests: each request is on two doubly linked lists, in the order of arrival (fifo) and in the order of
// sectors (sort). A request that is dispatched moves to a third list, by the links of the first.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct request {
    struct request *fifo_next, *fifo_prev;
    struct request *sort_next, *sort_prev;
    int sector, size;
};

static struct request *fifo, *fifo_last, *sort;
static struct request *dispatched;

static void fifo_add(struct request *rq)
{
    struct request *last = fifo_last;
    rq->fifo_next = 0;
    rq->fifo_prev = last;
    if (last)
        last->fifo_next = rq;
    else
        fifo = rq;
    fifo_last = rq;
}

static void fifo_remove(struct request *rq)
{
    struct request *p = rq->fifo_prev, *q = rq->fifo_next;
    if (p)
        p->fifo_next = q;
    else
        fifo = q;
    if (q)
        q->fifo_prev = p;
    else
        fifo_last = p;
}

static void sort_add(struct request *rq)
{
    struct request *p = 0, *q = sort;
    while (q && q->sector < rq->sector) {
        p = q;
        q = q->sort_next;
    }
    rq->sort_prev = p;
    rq->sort_next = q;
    if (p)
        p->sort_next = rq;
    else
        sort = rq;
    if (q)
        q->sort_prev = rq;
}

static void sort_remove(struct request *rq)
{
    struct request *p = rq->sort_prev, *q = rq->sort_next;
    if (p)
        p->sort_next = q;
    else
        sort = q;
    if (q)
        q->sort_prev = p;
}

static void add_request(int sector, int size)
{
    struct request *rq = malloc(sizeof *rq);
    if (!rq)
        abort();
    rq->sector = sector;
    rq->size = size;
    fifo_add(rq);
    sort_add(rq);
}

// A request that ends where another one starts takes it in.
static void merge(int sector)
{
    struct request *rq = sort;
    while (rq && rq->sector != sector)
        rq = rq->sort_next;
    if (!rq)
        return;
    struct request *next = rq->sort_next;
    if (next && rq->sector + rq->size == next->sector) {
        rq->size += next->size;
        sort_remove(next);
        fifo_remove(next);
        free(next);
    }
}

// The oldest request is done.
static void finish_oldest(void)
{
    struct request *rq = fifo;
    if (!rq)
        return;
    fifo_remove(rq);
    sort_remove(rq);
    free(rq);
}

// The oldest request moves to the list of those that are under way.
static void move_request(void)
{
    struct request *rq = fifo;
    if (!rq)
        return;
    fifo_remove(rq);
    sort_remove(rq);
    struct request *q = dispatched;
    rq->fifo_prev = 0;
    rq->fifo_next = q;
    if (q)
        q->fifo_prev = rq;
    dispatched = rq;
}

// The request that was dispatched last is done.
static void complete(void)
{
    struct request *rq = dispatched;
    if (!rq)
        return;
    struct request *q = rq->fifo_next;
    dispatched = q;
    if (q)
        q->fifo_prev = 0;
    free(rq);
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            add_request(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
            break;
        case 1:
            merge(__VERIFIER_nondet_int());
            break;
        case 2:
            finish_oldest();
            break;
        case 3:
            move_request();
            break;
        default:
            complete();
        }
    }
    return 0;
}
