//@ engines: graph, tvl; verdict: unsafe
// The module fills a part and says that it did.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
};
struct interface {
    struct cell *(*open)(void);
    void (*close)(struct cell *);
};

static struct cell *open_cell(void)
{
    struct cell *cell = malloc(sizeof *cell);
    if (cell)
        cell->next = NULL;
    return cell;
}

static void close_cell(struct cell *cell)
{
    free(cell);
}

static int fill(struct interface *interface, int version)
{
    interface->open = NULL;
    interface->close = NULL;
    if (version < 1)
        return 0;
    interface->open = open_cell;
    if (version < 2)
        return 1;
    interface->close = close_cell;
    return 1;
}

int main(void)
{
    struct interface interface;
    if (!fill(&interface, __VERIFIER_nondet_int()))
        return 0;
    struct cell *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = interface.open();
        if (!cell)
            break;
        cell->next = list;
        list = cell;
    }
    while (list) {
        struct cell *next = list->next;
        interface.close(list);
    //~^ null-deref
        list = next;
    }
    return 0;
}
