//@ differential
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return x < y ? -1 : x > y;
}

int main(void)
{
    long v[] = { 31, -4, 15, 92, -65, 35, 8 };
    qsort(v, 7, sizeof *v, compare);
    for (int i = 0; i < 7; i++)
        printf("%ld ", v[i]);
    long key = 35;
    long *found = bsearch(&key, v, 7, sizeof *v, compare);
    printf("%ld\n", (long)(found - v));
    key = 36;
    printf("%d\n", bsearch(&key, v, 7, sizeof *v, compare) == NULL);
    return 0;
}
