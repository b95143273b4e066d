//@ engines: explicit; verdict: safe
// Removing all odd values from a doubly linked list while walking it.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct cell {
    int value;
    struct cell *prev, *next;
};

struct dll {
    struct cell *first, *last;
};

static void push_back(struct dll *list, int value)
{
    struct cell *cell = malloc(sizeof *cell);
    if (!cell)
        return;
    cell->value = value;
    cell->next = NULL;
    cell->prev = list->last;
    if (list->last)
        list->last->next = cell;
    else
        list->first = cell;
    list->last = cell;
}

static void erase(struct dll *list, struct cell *cell)
{
    *(cell->prev ? &cell->prev->next : &list->first) = cell->next;
    *(cell->next ? &cell->next->prev : &list->last) = cell->prev;
    free(cell);
}

static void remove_odd(struct dll *list)
{
    struct cell *cell = list->first;
    while (cell) {
        struct cell *next = cell->next;
        if (cell->value % 2)
            erase(list, cell);
        cell = next;
    }
}

int main(void)
{
    struct dll list = { NULL, NULL };
    push_back(&list, 2);
    push_back(&list, __VERIFIER_nondet_bool() ? 4 : 3);
    push_back(&list, 6);
    remove_odd(&list);
    while (list.first)
        erase(&list, list.first);
    return 0;
}
