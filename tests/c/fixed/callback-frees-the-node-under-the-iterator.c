//@ engines: explicit; verdict: safe
// An intrusive list in the style of kernels: the callback may free the node it is given.
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next;
};

struct timer {
    int ticks;
    struct link link;
};

#define timer_of(pointer) ((struct timer *)((char *)(pointer) - offsetof(struct timer, link)))

static void for_each(struct link *list, void (*visit)(struct link *))
{
    for (struct link *link = list, *next; link; link = next) {
        next = link->next;
        visit(link);
    }
}

static void tick(struct link *link)
{
    timer_of(link)->ticks--;
}

static void discard(struct link *link)
{
    free(timer_of(link));
}

int main(void)
{
    struct link *list = NULL;
    for (int i = 0; i < 2; i++) {
        struct timer *timer = malloc(sizeof *timer);
        if (!timer)
            break;
        timer->ticks = i;
        timer->link.next = list;
        list = &timer->link;
    }
    for_each(list, tick);
    for_each(list, discard);
    return 0;
}
