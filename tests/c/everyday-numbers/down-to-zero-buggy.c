//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int a[12];
    for (size_t i = 12; i-- > 0;)
        a[i] = (int)i; //~ may out-of-bounds
    int sum = 0;
    for (int i = 12; i > 0; i--)
        sum += a[i]; //~ out-of-bounds
    printf("%d\n", sum);
    return 0;
}
