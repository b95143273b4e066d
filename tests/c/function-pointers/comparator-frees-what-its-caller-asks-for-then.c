//@ engines: overlay, explicit; verdict: safe
#include <stdlib.h>

static int *spare;

static int compare(const void *left, const void *right)
{
    const int *x = left, *y = right;
    free(spare);
    spare = NULL;
    return *x < *y ? -1 : *x > *y;
}

int main(void)
{
    int numbers[2] = { rand(), rand() };
    spare = malloc(sizeof *spare);
    if (!spare)
        abort();
    *spare = 3;
    qsort(numbers, 2, sizeof *numbers, compare);
    int read = spare ? *spare : 0;
    free(spare);
    return read;
}
