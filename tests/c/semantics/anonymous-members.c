//@ differential
#include <stdio.h>

struct outer {
    int id;
    union {
        struct { short low, high; };
        int both;
    };
    struct { int x; union { char c; unsigned char u; }; } named;
};

int main(void)
{
    struct outer o = { 1, { { 2, 3 } }, { 4, { -1 } } };
    printf("%d %d %x %d %d %u\n", o.low, o.high, o.both, o.named.x, o.named.c, o.named.u);
    o.both = -65536;
    printf("%d %d\n", o.low, o.high);
    struct outer p = { .high = 7, .named.u = 200 };
    printf("%d %d %d\n", p.low, p.high, p.named.c);
    short *q = &p.low;
    q[1]++;
    printf("%x %zu\n", p.both, sizeof p);
    return 0;
}
