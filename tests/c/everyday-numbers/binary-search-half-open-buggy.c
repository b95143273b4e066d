//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

static size_t lower_bound(const int *a, size_t n, int key) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (a[mid] < key) //~ may out-of-bounds
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

int main(void) {
    int a[30];
    for (int i = 0; i < 30; i++)
        a[i] = 3 * i;
    int key = rand();
    size_t at = lower_bound(a, 30, key);
    if (a[at] == key) //~ out-of-bounds
        puts("found");
    return 0;
}
