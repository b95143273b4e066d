//@ engines: auto; verdict: unsafe
#include <stdio.h>
#define N 10

static int remove_at(int *a, int n, int at) {
    for (int i = at; i < n; i++)
        a[i] = a[i + 1]; //~ out-of-bounds
    return n - 1;
}

int main(void) {
    int a[N], n = N, at;
    for (int i = 0; i < N; i++)
        a[i] = i;
    if (scanf("%d", &at) != 1 || at < 0 || at >= n) return 1;
    n = remove_at(a, n, at);
    for (int i = 0; i < n; i++)
        printf("%d\n", a[i]); //~ may uninitialised
    return 0;
}
