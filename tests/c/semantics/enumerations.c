//@ differential
#include <stdio.h>

enum plain { A, B, C = 10, D, E = -3, F };
enum flags { READ = 1 << 0, WRITE = 1 << 1, EXEC = 1 << 2, ALL = READ | WRITE | EXEC };
enum big { SMALL = 1, LARGE = 0x7fffffff };
typedef enum { LOW, HIGH = 200 } level;

static const char *const names[] = { [A] = "a", [B] = "b", [C] = "c", [D] = "d" };

static enum flags without(enum flags all, enum flags gone)
{
    return all & ~gone;
}

int main(void)
{
    enum plain p = D;
    printf("%d %d %d %d %d %d\n", A, B, C, D, E, F);
    printf("%s %s\n", names[p], names[C]);
    enum flags f = READ;
    f |= EXEC;
    printf("%d %d %d\n", f, without(ALL, WRITE), f & WRITE);
    level l = HIGH;
    unsigned char c = l + 100;
    printf("%d %d %d\n", l, c, LARGE);
    for (enum plain q = C; q <= D; q++)
        printf("%d ", q);
    printf("%zu\n", sizeof(enum plain));
    p = E;
    printf("%d\n", p < A);
    return 0;
}
