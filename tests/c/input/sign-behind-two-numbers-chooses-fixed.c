//@ engines: explicit; verdict: clean
#include <stdio.h>

int main(void) {
    int a, b;
    char sign;
    if (scanf("%d%c%d", &a, &sign, &b) != 3) return 1;
    if (sign == '/') {
        if (b == 0) return 1;
        printf("%d\n", a / 2 / b);
    }
    return 0;
}
