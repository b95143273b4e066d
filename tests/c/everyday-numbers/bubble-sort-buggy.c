//@ engines: auto; verdict: unsafe
#include <stdio.h>
#define N 8

static void sort(int *a, int n) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - i; j++)
            if (a[j] > a[j + 1]) { //~ out-of-bounds
                int t = a[j];
                a[j] = a[j + 1]; //~ may out-of-bounds
                a[j + 1] = t; //~ may out-of-bounds
            }
}

int main(void) {
    int a[N];
    for (int i = 0; i < N; i++)
        if (scanf("%d", &a[i]) != 1) return 1;
    sort(a, N);
    for (int i = 0; i < N; i++)
        printf("%d ", a[i]);
    return 0;
}
