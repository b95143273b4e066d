//@ differential
#include <stdio.h>

struct p { int x, y; };
struct q { struct p a, b; int c[2]; };

static struct q flat = { 1, 2, 3, 4, 5, 6 };
static struct q half = { { 1 }, 2, .c = { 3 } };
static int grid[2][2] = { 1, 2, 3 };
static const char *names[] = { "a", "b", [3] = "d" };
static char fixed[3] = "abc";
static char pad[6] = { "xy" };

int main(void)
{
    struct q q = { .a = { 9, 8 }, 7, 6, 5 };
    printf("%d %d %d %d %d %d\n", flat.a.x, flat.a.y, flat.b.x, flat.b.y, flat.c[0], flat.c[1]);
    printf("%d %d %d %d %d %d\n", half.a.x, half.a.y, half.b.x, half.b.y, half.c[0], half.c[1]);
    printf("%d %d %d %d %d %d\n", q.a.x, q.a.y, q.b.x, q.b.y, q.c[0], q.c[1]);
    printf("%d %d %zu %d\n", grid[1][0], grid[1][1], sizeof names / sizeof *names, names[2] == 0);
    printf("%c %zu %d\n", fixed[2], sizeof fixed, pad[2]);
    return 0;
}
