//@ engines: overlay; verdict: safe
// A global array of integers that list cells are sorted by.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define LEVELS 40

struct task {
    int level;
    struct task *next;
};

static int load[LEVELS];
static struct task *tasks;

static void spawn(unsigned level)
{
    struct task *task = malloc(sizeof *task);
    if (!task)
        return;
    task->level = (int)(level % LEVELS);
    load[task->level]++;
    task->next = tasks;
    tasks = task;
}

static void finish(void)
{
    struct task *task = tasks;
    if (!task)
        return;
    load[task->level]--;
    tasks = task->next;
    free(task);
}

int main(void)
{
    for (int round = 0; round < 1000; round++) {
        if (__VERIFIER_nondet_int())
            spawn((unsigned)__VERIFIER_nondet_int());
        else
            finish();
    }
    while (tasks)
        finish();
    return 0;
}
