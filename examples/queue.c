/* A queue whose header knows its first and its last cell: heapwise check --engine overlay --predicates examples/queue.pred examples/queue.c */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct header;

struct cell {
    struct cell *next;
    struct header *owner;
    int value;
};

struct header {
    struct cell *first;
    struct cell *last;
    int n_taken;
};

static void append(struct header *header, int value)
{
    struct cell *cell = malloc(sizeof *cell);
    if (!cell)
        return;
    cell->value = value;
    cell->owner = header;
    cell->next = NULL;
    if (header->last)
        header->last->next = cell;
    else
        header->first = cell;
    header->last = cell;
}

static int take(struct cell *cell)
{
    struct header *header = cell->owner;
    int value = cell->value;
    header->first = cell->next;
    if (!header->first)
        header->last = NULL;
    header->n_taken++;
    free(cell);
    return value;
}

int main(void)
{
    struct header *header = calloc(1, sizeof *header);
    if (!header)
        return 1;
    while (__VERIFIER_nondet_int())
        append(header, __VERIFIER_nondet_int());
    int sum = 0;
    while (header->first)
        sum += take(header->first);
    free(header);
    return sum;
}
