//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

static int find(const int *a, int n, int wanted) {
    for (int i = 0; i < n; i++)
        if (a[i] == wanted) return i;
    return -1;
}

int main(void) {
    int a[6] = {3, 1, 4, 1, 5, 9};
    int at = find(a, 6, rand() % 10);
    if (at != 6)
        a[at] = 0; //~ out-of-bounds
    printf("%d\n", a[0]);
    return 0;
}
