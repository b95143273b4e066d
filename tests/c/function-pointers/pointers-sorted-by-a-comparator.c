//@ engines: graph, tvl, overlay, explicit; verdict: safe
// The library calls the comparator on any two elements, and exchanges them: each cell stays in the array, and is freed once.
#include <stdlib.h>

struct item {
    int key;
};

static int compare(const void *left, const void *right)
{
    struct item *const *x = left, *const *y = right;
    return (*x)->key < (*y)->key ? -1 : (*x)->key > (*y)->key;
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
    qsort(items, 3, sizeof *items, compare);
    for (int i = 0; i < 3; i++)
        free(items[i]);
    return 0;
}
