//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
int main(void) {
    int v[6] = { 3, 1, 4, 1, 5, 9 };
    int *p, *end = v + 6, best = v[0];
    for (p = v; p != end; p++)
        if (*p > best)
            best = *p;
    printf("%d %d\n", best, *p); //~ out-of-bounds
    return 0;
}
