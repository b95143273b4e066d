//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int x, n = 0;
    long sum = 0;
    while (scanf("%d", &x) == 1) {
        sum += x;
        n++;
    }
    printf("%ld\n", sum / n); //~ division-by-zero
    return 0;
}
