//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int sum = 0, n = 0, value;
    while (n < 3 && scanf("%d", &value) == 1) {
        sum += value % 100;
        n++;
    }
    printf("%d\n", sum / n); //~ division-by-zero
    return 0;
}
