//@ engines: overlay; verdict: unsafe
// An event is looked at after it has fired for the last time.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct event {
    struct event *next;
    void (*fire)(struct event *);
    int n_left;
};

static struct event *head, **tail = &head;

static void post(struct event *event)
{
    event->next = NULL;
    *tail = event;
    tail = &event->next;
}

static void once(struct event *event)
{
    free(event);
}

static void again(struct event *event)
{
    if (event->n_left-- > 0)
        post(event);
    else
        free(event);
    event->n_left &= 3; //~ use-after-free
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        struct event *event = malloc(sizeof *event);
        if (!event)
            abort();
        event->n_left = 3;
        event->fire = __VERIFIER_nondet_int() ? once : again;
        post(event);
    }
    while (head) {
        struct event *event = head;
        head = event->next;
        if (!head)
            tail = &head;
        event->fire(event);
    }
    return 0;
}
