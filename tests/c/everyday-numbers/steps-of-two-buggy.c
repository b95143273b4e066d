//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int a[10];
    for (int i = 0; i < 10; i += 2) {
        a[i] = i;
    }
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += a[i]; //~ uninitialised
    printf("%d\n", sum);
    return 0;
}
