//@ engines: auto; verdict: safe
#include <stdio.h>

int main(void) {
    int bucket[8] = {0};
    int x;
    if (scanf("%d", &x) != 1) return 1;
    bucket[(unsigned)x % 8]++;
    printf("%d\n", bucket[0]);
    return 0;
}
