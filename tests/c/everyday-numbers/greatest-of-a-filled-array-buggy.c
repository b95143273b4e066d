//@ engines: auto; verdict: unsafe
#include <stdio.h>
#define N 20

int main(void) {
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i * 37 % 11;
    int max = a[0];
    for (int i = 1; i <= N; i++)
        if (a[i] > max) //~ out-of-bounds
            max = a[i];
    printf("%d\n", max);
    return 0;
}
