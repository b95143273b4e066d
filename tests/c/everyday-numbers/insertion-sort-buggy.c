//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

static void sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int key = a[i];
        int j = i - 1;
        while (a[j] > key) { //~ out-of-bounds
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }
}

int main(void) {
    int a[16];
    for (int i = 0; i < 16; i++)
        a[i] = rand();
    sort(a, 16);
    printf("%d %d\n", a[0], a[15]);
    return 0;
}
