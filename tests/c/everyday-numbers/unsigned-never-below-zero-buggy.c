//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int a[10];
    unsigned i;
    for (i = 0; i < 10; i++)
        a[i] = i;
    for (i = 9; i >= 0; i--)
        printf("%d\n", a[i]); //~ out-of-bounds //~ may uninitialised
    return 0;
}
