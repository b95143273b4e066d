//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
int main(void) {
    double d;
    int sum = 0, count = 0, x;
    while (scanf("%d", &x) == 1 && x >= 0) {
        sum += x;
        count++;
    }
    int mean = sum / count; //~ division-by-zero
    d = mean;
    printf("%f\n", d);
    return 0;
}
