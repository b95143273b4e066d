//@ differential
#include <stdbool.h>
#include <stdio.h>

struct flags {
    bool a, b;
    int n;
};

int main(void)
{
    bool b = 42;
    bool z = 0.25;
    bool p = (bool)&b;
    struct flags f = { 256, !256, 3 };
    printf("%d %d %d %d %d\n", b, z, p, f.a, f.b);
    b += 5;
    printf("%d %d\n", b, b + b);
    b -= 1;
    printf("%d %d\n", b, !b);
    b++;
    b++;
    printf("%d\n", b);
    printf("%d %d\n", (bool)0.0, (bool)"");
    printf("%zu %d\n", sizeof(bool), !!17 + !!0);
    bool q = 3 > 2 && 1 < 0;
    printf("%d\n", q);
    return 0;
}
