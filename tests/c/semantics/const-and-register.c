//@ differential
#include <stdio.h>

static int ticks;
static const int limits[] = { 3, 5 };

static int wait(int *const v, const int until)
{
    int spins = 0;
    while (*v < until) {
        ++*v;
        spins++;
    }
    return spins;
}

int main(void)
{
    int local = 4;
    const int *p = limits;
    int *const fixed = (int[]){ 7 };
    *fixed += *p++;
    local += *fixed;
    register int r = 5;
    r *= 2;
    printf("%d %d %d %d\n", *p, *fixed, local, r);
    printf("%d\n", wait(&ticks, limits[1]));
    printf("%d\n", ticks);
    struct { const int c; int a; const char b; } s = { 0, 1, 'x' };
    s.a += s.b;
    printf("%d\n", s.a);
    return 0;
}
