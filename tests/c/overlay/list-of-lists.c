//@ engines: overlay; verdict: safe
// Rows of a table, each with a list of cells.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int value;
    struct cell *next;
};

struct row {
    struct row *next;
    struct cell *cells;
};

static struct row *add_row(struct row *rows)
{
    struct row *row = malloc(sizeof *row);
    if (!row)
        abort();
    row->next = rows;
    row->cells = NULL;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        if (!cell)
            abort();
        cell->value = 0;
        cell->next = row->cells;
        row->cells = cell;
    }
    return row;
}

int main(void)
{
    struct row *rows = NULL;
    while (__VERIFIER_nondet_int())
        rows = add_row(rows);
    while (rows) {
        struct row *row = rows;
        rows = row->next;
        while (row->cells) {
            struct cell *cell = row->cells;
            row->cells = cell->next;
            free(cell);
        }
        free(row);
    }
    return 0;
}
