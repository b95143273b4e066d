//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int a[10], *p;
    for (p = a; p < a + 10; p++)
        *p = 1;
    int sum = 0;
    for (p = a; p <= a + 10; p++)
        sum += *p; //~ out-of-bounds //~ may uninitialised
    printf("%d\n", sum);
    return 0;
}
