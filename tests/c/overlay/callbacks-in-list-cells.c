//@ engines: overlay; verdict: safe
// Each cell keeps the function that is to run on its argument.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct hook {
    void (*run)(int *argument);
    int *argument;
    struct hook *next;
};

static void increment(int *argument)
{
    ++*argument;
}

static void reset(int *argument)
{
    *argument = 0;
}

static void add_hook(struct hook **hooks, void (*run)(int *), int *argument)
{
    struct hook *hook = malloc(sizeof *hook);
    if (!hook)
        return;
    hook->run = run;
    hook->argument = argument;
    hook->next = *hooks;
    *hooks = hook;
}

int main(void)
{
    int counter = 0;
    struct hook *hooks = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            add_hook(&hooks, increment, &counter);
        else
            add_hook(&hooks, reset, &counter);
    }
    for (struct hook *hook = hooks; hook; hook = hook->next)
        hook->run(hook->argument);
    while (hooks) {
        struct hook *next = hooks->next;
        free(hooks);
        hooks = next;
    }
    return counter;
}
