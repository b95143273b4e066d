//@ engines: overlay; verdict: unsafe
// The header knows the first and the last cell.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
    int value;
};

struct header {
    struct cell *first;
    struct cell *last;
};

static void append(struct header *header, int value)
{
    struct cell *cell = malloc(sizeof *cell);
    if (!cell)
        return;
    cell->value = value;
    cell->next = NULL;
    if (header->last)
        header->last->next = cell; //~ use-after-free
    else
        header->first = cell;
    header->last = cell;
}

int main(void)
{
    struct header *header = malloc(sizeof *header);
    if (!header)
        return 1;
    header->first = header->last = NULL;
    while (__VERIFIER_nondet_int())
        append(header, __VERIFIER_nondet_int());
    while (header->first) {
        struct cell *cell = header->first;
        header->first = cell->next;
        free(cell);
    }
    append(header, 1);
    free(header); //~ may leak
    return 0;
}
