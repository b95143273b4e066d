//@ differential
#include <stdio.h>

struct matrix { int m[2][2]; };
struct pair { struct matrix a; char c; };

static struct matrix multiply(struct matrix x, struct matrix y)
{
    struct matrix r = { { { 0 } } };
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                r.m[i][j] += x.m[i][k] * y.m[k][j];
    return r;
}

static struct matrix power(struct matrix x, int n)
{
    return n == 0 ? (struct matrix){ { { 1, 0 }, { 0, 1 } } } : multiply(x, power(x, n - 1));
}

static struct pair twist(struct pair p)
{
    p.a = multiply(p.a, p.a);
    p.c ^= 0x20;
    return p;
}

int main(void)
{
    struct matrix fib = { { { 1, 1 }, { 1, 0 } } };
    printf("%d %d\n", power(fib, 10).m[0][1], power(fib, 30).m[0][0]);
    struct pair ps[3] = { { fib, 'a' }, { fib, 'b' } };
    ps[2] = ps[0] = twist(twist(ps[1]));
    ps[1] = twist(ps[1]);
    printf("%d %c %c %d\n", ps[2].a.m[0][0], ps[0].c, ps[1].c, ps[1].a.m[1][1]);
    struct pair *p = &ps[1];
    *p = p[1];
    printf("%c\n", ps[1].c);
    return 0;
}
