//@ differential
#include <stdio.h>

struct s1 { char c; };
struct s3 { char c[3]; };
struct s8 { int a, b; };
struct s12 { int a[3]; };
struct s16 { double d; long l; };
struct s40 { long a[5]; };

static long sum(struct s1 a, int i, struct s3 b, struct s8 c, struct s12 d, struct s16 e, struct s40 f, char g)
{
    long s = a.c + i + b.c[0] + b.c[1] + b.c[2] + c.a + c.b + d.a[0] + d.a[1] + d.a[2] + (long)e.d + e.l + g;
    for (int k = 0; k < 5; k++)
        s += f.a[k] * (k + 1);
    return s;
}

static struct s3 make3(int x) { struct s3 s = { { x, x + 1, x + 2 } }; return s; }
static struct s16 make16(double d) { return (struct s16){ d * 2, (long)(d * 10) }; }
static struct s40 make40(long x) { return (struct s40){ { x, x * x, x * x * x, -x, 0 } }; }

int main(void)
{
    struct s1 a = { 'a' };
    struct s8 c = { 10, -20 };
    struct s12 d = { { 1, 2, 3 } };
    printf("%ld\n", sum(a, 5, make3(7), c, d, make16(2.5), make40(4), 'z'));
    printf("%d %ld %ld\n", make3(1).c[2], make16(1.5).l, make40(3).a[2]);
    return 0;
}
