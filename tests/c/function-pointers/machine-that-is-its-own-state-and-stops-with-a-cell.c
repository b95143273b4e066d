//@ engines: graph, tvl; verdict: unsafe
// Stopping forgets the cell that is held.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
};
struct machine {
    void (*step)(struct machine *);
    struct cell *held;
};

static void idle(struct machine *);

static void finish(struct machine *machine)
{
    machine->held = NULL;
    //~^ leak
    machine->step = NULL;
}

static void busy(struct machine *machine)
{
    if (__VERIFIER_nondet_int()) {
        free(machine->held);
        machine->held = NULL;
        machine->step = idle;
    } else {
        machine->step = finish;
    }
}

static void idle(struct machine *machine)
{
    machine->held = malloc(sizeof *machine->held);
    machine->step = machine->held ? busy : finish;
}

int main(void)
{
    struct machine machine = {idle, NULL};
    while (machine.step)
        machine.step(&machine);
    return 0;
}
