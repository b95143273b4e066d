//@ engines: overlay; verdict: unsafe
// A doubly linked list of singly linked lists, with removal in the middle.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    struct cell *next;
};

struct line {
    struct line *next, *prev;
    struct cell *cells;
};

static void cells_free(struct cell *cell)
{
    while (cell) {
        struct cell *next = cell->next;
        free(cell);
        cell = next;
    }
}

static struct line *remove_line(struct line *first, struct line *line)
{
    if (line->prev)
        line->prev->next = line->next; //~ use-after-free
    else
        first = line->next;
    cells_free(line->cells);
    free(line);
    return first;
}

int main(void)
{
    struct line *first = NULL;
    while (__VERIFIER_nondet_int()) {
        struct line *line = malloc(sizeof *line);
        if (!line)
            break;
        line->cells = NULL;
        line->prev = NULL;
        line->next = first;
        if (first)
            first->prev = line;
        first = line;
        while (__VERIFIER_nondet_int()) {
            struct cell *cell = malloc(sizeof *cell);
            if (!cell)
                break;
            cell->next = line->cells;
            line->cells = cell;
        }
    }
    struct line *at = first;
    while (at && __VERIFIER_nondet_int())
        at = at->next;
    if (at)
        first = remove_line(first, at);
    while (first)
        first = remove_line(first, first);
    return 0;
}
