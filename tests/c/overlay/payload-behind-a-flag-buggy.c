//@ engines: overlay; verdict: unsafe
// A flag in the cell says whether it owns a payload.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    int has_data;
    char *data;
    struct item *next;
};

static struct item *add(struct item *items)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        abort();
    if (__VERIFIER_nondet_int()) {
        item->data = malloc(10);
        if (!item->data)
            abort();
        item->has_data = 1;
    } else {
        item->has_data = 0;
    }
    item->next = items;
    return item;
}

int main(void)
{
    struct item *items = NULL;
    while (__VERIFIER_nondet_int())
        items = add(items);
    while (items) {
        struct item *next = items->next;
        if (items->data) { //~ uninitialised
            items->data[9] = 'x';
            free(items->data);
        }
        free(items);
        items = next;
    }
    return 0;
}
