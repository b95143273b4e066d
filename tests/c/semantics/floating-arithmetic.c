//@ differential
#include <stdio.h>

static double root(double x)
{
    double r = x;
    for (int i = 0; i < 30; i++)
        r = (r + x / r) / 2;
    return r;
}

int main(void)
{
    float f = 0.1f;
    double d = 0.1;
    printf("%.10f %.10f %d\n", f, d, f == d);
    f *= 3;
    f += 1;
    printf("%.8f\n", f);
    printf("%.10f %.10f\n", root(2), root(1e6));
    printf("%d %d %d\n", (int)2.9, (int)-2.9, (int)1e9f);
    printf("%u %ld\n", (unsigned)3e9, (long)-1.5e15);
    printf("%.1f %.1f %.1f\n", 7 / 2 * 1.0, 7 / 2.0, (float)7 / 2);
    int i = 16777217;
    printf("%.1f %.1f\n", (float)i, (double)i);
    unsigned long big = 0xfffffffffffff800;
    printf("%.1f %lu\n", (double)big, (unsigned long)1.8e19);
    double zero = 0.0;
    double nan = zero / zero, inf = 1 / zero;
    printf("%d %d %d %d %d\n", nan == nan, nan != nan, nan < 1, !(nan < 1), inf > 1e308);
    printf("%d %d\n", 0.0 == -0.0, d ? 1 : 2);
    d -= 1;
    d = -d;
    printf("%.3f %d\n", d, d > 0.89 && d < 0.91);
    short s = 3.99;
    s += 1.5;
    printf("%d\n", s);
    return 0;
}
