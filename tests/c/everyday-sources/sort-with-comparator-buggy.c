//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdlib.h>
#include <stdio.h>
static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int main(void) {
    int v[8];
    for (int i = 0; i < 8; i++)
        v[i] = rand() % 100;
    qsort(v, 8, sizeof v[0], compare);
    printf("%d\n", v[8]); //~ out-of-bounds
    return 0;
}
