//@ engines: explicit; verdict: clean
#include <stdio.h>

int main(void) {
    int sum = 0, n = 0, value;
    while (n < 3 && scanf("%d", &value) == 1) {
        sum += value % 100;
        n++;
    }
    if (n == 0) return 1;
    printf("%d\n", sum / n);
    return 0;
}
