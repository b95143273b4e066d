//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
int main(void) {
    double d;
    int sum = 0, count = 0, x;
    while (scanf("%d", &x) == 1 && x >= 0) {
        sum += x;
        count++;
    }
    if (count == 0)
        return 1;
    int mean = sum / count;
    d = mean;
    printf("%f\n", d);
    return 0;
}
