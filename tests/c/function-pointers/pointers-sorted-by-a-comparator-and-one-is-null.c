//@ engines: graph, tvl, overlay, explicit; verdict: unsafe
// The library calls the comparator on any two elements, and one of them is null.
#include <stdlib.h>

struct item {
    int key;
};

static int compare(const void *left, const void *right)
{
    struct item *const *x = left, *const *y = right;
    int a = (*x)->key; //~ may null-deref
    int b = (*y)->key; //~ null-deref
    return a < b ? -1 : a > b;
}

int main(void)
{
    struct item *items[3];
    for (int i = 0; i < 3; i++) {
        items[i] = malloc(sizeof *items[i]);
        if (!items[i])
            abort();
        items[i]->key = rand();
    }
    free(items[1]);
    items[1] = NULL;
    qsort(items, 3, sizeof *items, compare);
    for (int i = 0; i < 3; i++)
        free(items[i]);
    return 0;
}
