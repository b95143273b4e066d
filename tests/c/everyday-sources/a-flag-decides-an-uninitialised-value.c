//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include <stdbool.h>
static const bool debug = true;
int main(void) {
    int n = debug ? 12 : 3;
    int *p = malloc(sizeof(int));
    if (p == NULL)
        return 1;
    if (n < 10)
        *p = 1;
    else
        *p = 2;
    if (*p == 1)
        puts("one");
    free(p);
    return 0;
}
