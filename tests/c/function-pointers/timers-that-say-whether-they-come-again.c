//@ engines: tvl; verdict: safe
// Timers with a function that says whether they come again; those that do go to another list.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct timer {
    int (*fire)(struct timer *);
    struct timer *next;
    int rounds;
};

static int once(struct timer *timer)
{
    free(timer);
    return 0;
}

static int often(struct timer *timer)
{
    if (timer->rounds > 0) {
        timer->rounds--;
        return 1;
    }
    free(timer);
    return 0;
}

static struct timer *fire_all(struct timer *due)
{
    struct timer *again = NULL;
    while (due) {
        struct timer *timer = due;
        due = timer->next;
        if (timer->fire(timer)) {
            timer->next = again;
            again = timer;
        }
    }
    return again;
}

int main(void)
{
    struct timer *timers = NULL;
    while (__VERIFIER_nondet_int()) {
        struct timer *timer = malloc(sizeof *timer);
        if (!timer)
            break;
        timer->fire = __VERIFIER_nondet_int() ? once : often;
        timer->rounds = __VERIFIER_nondet_int();
        timer->next = timers;
        timers = timer;
    }
    while (timers)
        timers = fire_all(timers);
    return 0;
}
