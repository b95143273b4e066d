//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int n;
    if (scanf("%d", &n) != 1 || n <= 0 || n > 4096)
        return 1;
    char *b = malloc(n);
    if (!b)
        return 1;
    memset(b, 'x', n + 1); //~ out-of-bounds
    b[n - 1] = '\0';
    puts(b);
    free(b);
    return 0;
}
