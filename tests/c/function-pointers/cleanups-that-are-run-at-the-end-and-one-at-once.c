//@ engines: tvl; verdict: unsafe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct cleanup {
    struct cleanup *next;
    void (*run)(void *);
    void *argument;
};

static struct cleanup *list;

static int at_end(void (*run)(void *), void *argument)
{
    struct cleanup *cleanup = malloc(sizeof *cleanup);
    if (!cleanup)
        return 0;
    cleanup->run = run;
    cleanup->argument = argument;
    cleanup->next = list;
    list = cleanup;
    return 1;
}

static void run_all(void)
{
    while (list) {
        struct cleanup *cleanup = list;
        list = cleanup->next;
        cleanup->run(cleanup->argument); //~ double-free
        free(cleanup);
    }
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        int *number = malloc(sizeof *number);
        if (!number)
            break;
        at_end(free, number);
        free(number);
    }
    run_all();
    return 0;
}
