//@ engines: tvl; verdict: unsafe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct value {
    struct value *below;
    int number;
};

struct machine {
    struct value *top;
    int failed;
};

static void constant(struct machine *machine)
{
    struct value *value = malloc(sizeof *value);
    if (!value) {
        machine->failed = 1;
        return;
    }
    value->number = __VERIFIER_nondet_int();
    value->below = machine->top;
    machine->top = value;
}

static void drop(struct machine *machine)
{
    struct value *value = machine->top;
    machine->top = value->below; //~ null-deref
    free(value);
}

static void duplicate(struct machine *machine)
{
    struct value *value = machine->top;
    constant(machine);
    if (value && !machine->failed)
        machine->top->number = value->number;
}

static void (*const operations[3])(struct machine *) = { constant, drop, duplicate };

int main(void)
{
    struct machine machine = { NULL, 0 };
    while (!machine.failed) {
        unsigned operation = (unsigned)__VERIFIER_nondet_int();
        if (operation >= 3)
            break;
        operations[operation](&machine);
    }
    while (machine.top)
        drop(&machine);
    return 0;
}
