//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>

static int find(const int *a, int n, int key) {
    int low = 0, high = n - 1;
    while (low <= high) {
        int mid = low + (high - low) / 2;
        if (a[mid] == key) return mid;
        if (a[mid] < key)
            low = mid + 1;
        else
            high = mid - 1;
    }
    return -1;
}

int main(void) {
    static int a[50];
    for (int i = 0; i < 50; i++)
        a[i] = 2 * i;
    int key;
    if (scanf("%d", &key) != 1) return 1;
    printf("%d\n", find(a, 50, key));
    return 0;
}
