//@ engines: overlay; verdict: unsafe
// BSD LIST: a node is removed without knowing the head.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct timer {
    unsigned when;
    struct timer *le_next;
    struct timer **le_prev;
};

static struct timer *timers;

static void timer_insert(struct timer *timer)
{
    if ((timer->le_next = timers) != NULL)
        timers->le_prev = &timer->le_next;
    timers = timer;
    timer->le_prev = &timers;
}

static void timer_remove(struct timer *timer)
{
    if (timer->le_next != NULL) //~ use-after-free
        timer->le_next->le_prev = timer->le_prev; //~ use-after-free
    *timer->le_prev = timer->le_next;
}

static struct timer *timer_new(unsigned when)
{
    struct timer *timer = malloc(sizeof(struct timer));
    if (!timer)
        exit(1);
    timer->when = when;
    timer_insert(timer);
    return timer;
}

int main(void)
{
    struct timer *kept = NULL;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; ++i) {
        struct timer *timer = timer_new((unsigned)i);
        if (i == 3)
            kept = timer;
    }
    if (kept) {
        free(kept); //~ may leak
    }
    while (timers) {
        struct timer *timer = timers;
        timer_remove(timer);
        free(timer);
    }
    return 0;
}
