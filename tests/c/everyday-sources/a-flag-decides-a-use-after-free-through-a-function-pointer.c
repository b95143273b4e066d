//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int mode = 5;
static int handle(int *item, int n) {
    if (item == NULL)
        return 1;
    item[0] = n;
    printf("%d\n", item[0]);
    free(item);
    return 0;
}

int main(void) {
    int n = 3;
    if (mode == 5)
        n = 12;
    int (*action)(int *, int) = handle;
    return action(malloc(4 * sizeof(int)), n);
}
