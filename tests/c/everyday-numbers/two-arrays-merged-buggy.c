//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int a[5] = {1, 3, 5, 7, 9}, b[4] = {2, 4, 6, 8}, c[9];
    int i = 0, j = 0, k = 0;
    while (i < 5 && j < 4)
        c[k++] = a[i] < b[j] ? a[i++] : b[j++]; //~ may out-of-bounds
    while (i < 5)
        c[k++] = a[i++]; //~ may out-of-bounds
    while (j <= 4)
        c[k++] = b[j++]; //~ out-of-bounds
    for (i = 0; i < k; i++)
        printf("%d\n", c[i]);
    return 0;
}
