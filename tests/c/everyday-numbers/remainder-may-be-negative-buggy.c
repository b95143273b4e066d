//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int bucket[8] = {0};
    int x;
    if (scanf("%d", &x) != 1) return 1;
    bucket[x % 8]++; //~ out-of-bounds
    printf("%d\n", bucket[0]);
    return 0;
}
