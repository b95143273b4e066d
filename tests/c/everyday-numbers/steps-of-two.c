//@ engines: auto; verdict: safe
#include <stdio.h>

int main(void) {
    int a[10];
    for (int i = 0; i < 10; i += 2) {
        a[i] = i;
        a[i + 1] = -i;
    }
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += a[i];
    printf("%d\n", sum);
    return 0;
}
