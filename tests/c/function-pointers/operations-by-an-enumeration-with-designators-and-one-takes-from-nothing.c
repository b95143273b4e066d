//@ engines: graph, tvl; verdict: unsafe
// Taking does not ask whether there is something.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum operation { TAKE, PUT, TURN, OPERATIONS };

struct cell {
    struct cell *next;
};

static struct cell *put(struct cell *list)
{
    struct cell *cell = malloc(sizeof *cell);
    if (!cell)
        return list;
    cell->next = list;
    return cell;
}

static struct cell *take(struct cell *list)
{
    struct cell *rest = list->next; //~ null-deref
    free(list);
    return rest;
}

static struct cell *turn(struct cell *list)
{
    struct cell *turned = NULL;
    while (list) {
        struct cell *next = list->next;
        list->next = turned;
        turned = list;
        list = next;
    }
    return turned;
}

static struct cell *(*const operations[OPERATIONS])(struct cell *) = {
    [PUT] = put,
    [TURN] = turn,
    [TAKE] = take,
};

int main(void)
{
    struct cell *list = NULL;
    for (;;) {
        int input = __VERIFIER_nondet_int();
        if (input < TAKE || input >= OPERATIONS)
            break;
        enum operation operation = (enum operation)input;
        list = operations[operation](list);
    }
    while (list) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
