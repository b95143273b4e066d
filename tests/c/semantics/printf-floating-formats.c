//@ differential
#include <stdio.h>

int main(void)
{
    double d = 3.14159265358979;
    printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%+.0f]\n", d, d, d, d, d);
    printf("[%e] [%.3E]\n", d * 1e10, d / 1e10);
    printf("[%g] [%g] [%g] [%g]\n", d, 1e-10, 123456789.0, 100000.0);
    printf("[%f] [%f]\n", 1.0 / 3, -2.0f / 3);
    printf("[%08.3f] [%.10g]\n", -d, 0.1);
    printf("[%f] [%.1f] [%.0f]\n", 1e15, 0.25, 2.5);
    return 0;
}
