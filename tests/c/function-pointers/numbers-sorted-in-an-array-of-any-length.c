//@ engines: overlay; verdict: safe
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    const int *x = left, *y = right;
    return *x < *y ? -1 : *x > *y;
}

int main(void)
{
    size_t count = rand() % 50;
    int *numbers = malloc(count * sizeof *numbers);
    if (!numbers)
        return 1;
    for (size_t i = 0; i < count; i++)
        numbers[i] = rand();
    qsort(numbers, count, sizeof *numbers, compare);
    free(numbers);
    return 0;
}
