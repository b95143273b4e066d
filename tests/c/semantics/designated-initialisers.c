//@ differential
#include <stdio.h>

struct item { int id; char name[6]; struct { short a, b; } in; int tail[3]; };

int main(void)
{
    int sparse[10] = { [2] = 5, 6, [7] = 1, [0] = 9, [1] = 8 };
    for (int i = 0; i < 10; i++)
        printf("%d ", sparse[i]);
    struct item items[] = {
        [1] = { .name = "one", .in.b = 3, .tail = { [2] = 4 } },
        [0] = { 7, "zero", { .a = 1 }, .tail[0] = 2, 3 },
        [2] = { .id = 2, .in = { 5, 6 }, .in.a = 8 },
    };
    printf("%zu\n", sizeof items / sizeof *items);
    for (int i = 0; i < 3; i++)
        printf("%d %s %d %d %d %d %d\n", items[i].id, items[i].name, items[i].in.a, items[i].in.b, items[i].tail[0],
               items[i].tail[1], items[i].tail[2]);
    int ranged[8] = { [1 ... 3] = 7, [6] = 2 };
    int matrix[2][3] = { [1][2] = 5, [0] = { 1, 2 } };
    for (int i = 0; i < 8; i++)
        printf("%d ", ranged[i]);
    for (int i = 0; i < 6; i++)
        printf("%d ", matrix[i / 3][i % 3]);
    char open[] = { [4] = 'e', [1] = 'b' };
    printf("%zu %d\n", sizeof open, open[0]);
    return 0;
}
