//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *text = getenv("AMOUNT");
    int n = text ? atoi(text) : 1;
    int x;
    int tries = 0;
    again:
    tries++;
    if (tries < 2)
        goto again;
    x = n;
    printf("%d\n", 100 / x); //~ division-by-zero
    return 0;
}
