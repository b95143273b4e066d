//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>

static int is_on(void) {
    return 1;
}

static int current;

static int run(void) {
    printf("%d\n", 100 / current); //~ division-by-zero
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
