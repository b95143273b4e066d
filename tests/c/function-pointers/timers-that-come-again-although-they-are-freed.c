//@ engines: tvl; verdict: unsafe
// A timer that does not come again is freed by its function and put on the list.
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
    return 1;
}

static struct timer *fire_all(struct timer *due)
{
    struct timer *again = NULL;
    while (due) {
        struct timer *timer = due;
        due = timer->next;
        if (timer->fire(timer)) {
            timer->next = again;
    //~^ use-after-free
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
