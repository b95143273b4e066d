//@ engines: auto; verdict: safe
#include <stdio.h>

int main(void) {
    int a[10];
    unsigned i;
    for (i = 0; i < 10; i++)
        a[i] = i;
    for (i = 10; i-- > 0;)
        printf("%d\n", a[i]);
    return 0;
}
