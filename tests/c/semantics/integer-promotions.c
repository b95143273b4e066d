//@ differential
// Small types are promoted to int before arithmetic.
#include <stdio.h>

int main(void)
{
    unsigned char a = 200, b = 100;
    signed char c = -5;
    unsigned short s = 65535;
    short t = -32768;
    printf("%d %d %d\n", a + b, a - b - b - b, (unsigned char)(a + b));
    printf("%d %d %d\n", c * a, c / 2, c % 3);
    printf("%d %d\n", s + 1, (unsigned short)(s + 1));
    printf("%d %d\n", -t, (short)-t);
    printf("%d %d\n", ~a, (unsigned char)~a);
    printf("%d\n", a > c);
    a += 100;
    c -= 127;
    s *= 2;
    printf("%d %d %d\n", a, c, s);
    return 0;
}
