//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
    int visits[21] = { 0 };
    int at = 10;
    srand(time(NULL));
    for (int step = 0; step < 100; step++) {
        at += rand() % 2 ? 1 : -1;
        visits[at]++; //~ out-of-bounds
    }
    printf("%d\n", visits[10]);
    return 0;
}
