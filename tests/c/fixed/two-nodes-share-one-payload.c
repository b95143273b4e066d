//@ engines: explicit; verdict: safe
// Cloning a list cell copies the pointer to its payload, and both copies free it.
#include <stdlib.h>

struct cell {
    int *payload;
    struct cell *next;
};

static struct cell *cons(int value, struct cell *next)
{
    struct cell *cell = malloc(sizeof *cell);
    if (!cell)
        return NULL;
    cell->payload = malloc(sizeof *cell->payload);
    if (!cell->payload) {
        free(cell);
        return NULL;
    }
    *cell->payload = value;
    cell->next = next;
    return cell;
}

static struct cell *clone(const struct cell *cell)
{
    return cons(*cell->payload, NULL);
}

static void destroy(struct cell *cell)
{
    while (cell) {
        struct cell *next = cell->next;
        free(cell->payload);
        free(cell);
        cell = next;
    }
}

int main(void)
{
    struct cell *list = cons(1, NULL);
    if (!list)
        return 1;
    struct cell *copy = clone(list);
    destroy(list);
    destroy(copy);
    return 0;
}
