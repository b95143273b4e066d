//@ differential
#include <stddef.h>
#include <stdio.h>

struct a { char c; int i; char d; };
struct b { char c; double d; short s; };
struct c { struct a a; char x[3]; struct b b; };
union u { char c[5]; int i; struct a a; };
struct __attribute__((packed)) p { char c; long l; };
struct __attribute__((aligned(32))) al { int i; };

int main(void)
{
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof(struct a), sizeof(struct b), sizeof(struct c), sizeof(union u),
           sizeof(struct p), sizeof(struct al));
    printf("%zu %zu %zu\n", offsetof(struct a, d), offsetof(struct c, b), offsetof(struct c, b.s));
    printf("%zu %zu %zu\n", _Alignof(struct b), _Alignof(struct p), _Alignof(struct al));
    int n = 0;
    printf("%zu %d\n", sizeof(n++), n);
    printf("%zu %zu %zu\n", sizeof(char[7]), sizeof(int *[3]), sizeof(struct { char c[3]; short s; }));
    printf("%zu %zu %zu\n", sizeof 1, sizeof 1l, sizeof(1 ? 'a' : 2ll));
    printf("%zu %zu\n", sizeof(long double), sizeof(_Bool));
    return 0;
}
