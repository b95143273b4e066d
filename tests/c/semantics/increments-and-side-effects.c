//@ differential
#include <stdio.h>

struct counter { int n; char c; unsigned bits : 3; };

int main(void)
{
    int i = 5, a[5] = { 0, 10, 20, 30, 40 };
    int x = i++;
    int y = ++i;
    printf("%d %d %d\n", x, y, i);
    int *p = a;
    printf("%d ", *p++);
    printf("%d ", *++p);
    printf("%d ", ++*p);
    printf("%d ", (*p)++);
    printf("%d %ld\n", *p, (long)(p - a));
    p--;
    p += 2;
    p -= 1;
    printf("%d\n", p[-1] + *p);
    struct counter c = { 1, 127, 7 };
    struct counter *q = &c;
    printf("%d %d %d\n", q->n++, q->c++, q->bits++);
    printf("%d %d %d\n", c.n, c.c, c.bits);
    unsigned char u = 0;
    u--;
    printf("%d\n", u++);
    double d = 1.5;
    d++;
    printf("%.1f %d\n", d, u);
    a[i = 1] += 3;
    printf("%d\n", a[1]);
    return 0;
}
