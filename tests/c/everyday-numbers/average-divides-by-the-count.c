//@ engines: auto; verdict: safe
#include <stdio.h>

int main(void) {
    int x, n = 0;
    long sum = 0;
    while (scanf("%d", &x) == 1) {
        sum += x;
        n++;
    }
    if (n == 0) return 0;
    printf("%ld\n", sum / n);
    return 0;
}
