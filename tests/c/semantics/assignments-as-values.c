//@ differential
#include <stdio.h>

struct s { int a; char c; };

int main(void)
{
    int a, b, c;
    a = b = c = 5;
    printf("%d %d %d\n", a, b, c);
    char narrow;
    int wide = narrow = 300;
    printf("%d %d\n", narrow, wide);
    double d;
    int i = d = 2.75;
    printf("%d %.2f\n", i, d);
    struct s x = { 1, 'x' }, y, z;
    z = y = x;
    printf("%d %c\n", z.a, (y = z).c);
    unsigned char u = 200;
    int sum = (u += 100) + 1;
    printf("%d %d\n", u, sum);
    int v[3] = { 0 };
    int k = 0;
    v[k++] = 4;
    v[k++] += 5;
    *(v + k) = v[0] - v[1];
    printf("%d %d %d %d\n", v[0], v[1], v[2], k);
    while ((k = k - 1) > 0)
        printf("%d ", k);
    if ((a = 0) || (b = 7))
        printf("%d %d\n", a, b);
    float f = 16777217;
    i = f += 1;
    printf("%d\n", i);
    return (c -= 2);
}
