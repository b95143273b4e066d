//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>

static int is_on(void) {
    return 1;
}

static int current;

static int run(void) {
    if (current != 0)
        printf("%d\n", 100 / current);
    return 0;
}

int main(void) {
    int n;
    if (is_on())
        n = 0;
    else
        n = 3;
    current = n;
    return run();
}
