//@ engines: tvl; verdict: safe
#include <stdlib.h>

struct event {
    struct event *next;
    void (*fire)(struct event *);
};

static struct event *first, **last = &first;
static int n_fired;

static void post(void (*fire)(struct event *))
{
    struct event *event = malloc(sizeof *event);
    if (!event)
        return;
    event->fire = fire;
    event->next = NULL;
    *last = event;
    last = &event->next;
}

static void once(struct event *event)
{
    n_fired++;
    free(event);
}

static void again(struct event *event)
{
    free(event);
    if (n_fired < 3)
        post(once);
}

int main(void)
{
    post(once);
    post(again);
    while (first) {
        struct event *event = first;
        first = event->next;
        if (!first)
            last = &first;
        event->fire(event);
    }
    return 0;
}
