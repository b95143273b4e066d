//@ engines: overlay, explicit; verdict: unsafe
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    const int *x = left, *y = right;
    return *x < *y ? -1 : *x > *y; //~ may out-of-bounds //~ may uninitialised
}

int main(void)
{
    int *numbers = malloc(4 * sizeof *numbers);
    if (!numbers)
        return 1;
    for (int i = 0; i < 4; i++)
        numbers[i] = rand();
    qsort(numbers, 5, sizeof *numbers, compare); //~ out-of-bounds
    free(numbers);
    return 0;
}
