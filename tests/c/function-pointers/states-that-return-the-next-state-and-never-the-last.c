//@ engines: graph, tvl; verdict: unsafe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *push(struct node *list)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return list;
    node->next = list;
    return node;
}

struct machine {
    struct node *list;
};

struct state {
    struct state (*next)(struct machine *);
};

static struct state done(struct machine *machine)
{
    (void)machine;
    struct state stop = { NULL };
    return stop;
}

static struct state release(struct machine *machine)
{
    struct node *node = machine->list;
    machine->list = node->next; //~ null-deref
    free(node);
    struct state again = { release };
    return again;
}

static struct state fill(struct machine *machine)
{
    machine->list = push(machine->list);
    struct state next = { __VERIFIER_nondet_int() ? fill : release };
    return next;
}

int main(void)
{
    struct machine machine = { NULL };
    struct state state = { fill };
    while (state.next)
        state = state.next(&machine);
    return done == NULL;
}
