//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    if (n < 1 || n > 64) return 1;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = 2 * i;
    printf("%d\n", a[n]); //~ out-of-bounds //~ may uninitialised
    return 0;
}
