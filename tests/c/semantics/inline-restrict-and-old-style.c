//@ differential
#include <stdio.h>

static inline int clamp(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

static void scale(int n, int *restrict to, const int *restrict from)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] * 2;
}

int old_style(a, b)
    int a;
    char b;
{
    return a + b;
}

static int at(int a[static 2], int i)
{
    a++;
    return a[i];
}

__attribute__((noinline)) static void nothing(void)
{
}

int main(void)
{
    int v[3] = { 1, 2, 3 }, w[3];
    scale(3, w, v);
    nothing();
    printf("%d %d %d\n", w[2], clamp(50, 0, 10), clamp(-1, 0, 10));
    printf("%d %d\n", old_style(3, 'A'), at(v, 1));
    extern int later;
    printf("%d\n", later);
    return 0;
}

int later = 11;
