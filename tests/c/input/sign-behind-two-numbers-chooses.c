//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int a, b;
    char sign;
    if (scanf("%d%c%d", &a, &sign, &b) != 3) return 1;
    if (sign == '/') {
        printf("%d\n", a / 2 / b); //~ division-by-zero
    }
    return 0;
}
