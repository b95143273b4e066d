//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *a = malloc(10 * sizeof(int));
    if (!a) return 1;
    int n = 0, x;
    while (n < 10) {
        if (scanf("%d", &x) != 1) break;
        a[n++] = x;
    }
    if (n > 0 && a[n - 1] > 0)
        puts("positive");
    free(a);
    return 0;
}
