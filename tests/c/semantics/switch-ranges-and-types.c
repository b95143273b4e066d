//@ differential
#include <stdio.h>

static char grade(int points)
{
    switch (points) {
    case 0 ... 49:
        return 'F';
    case 50 ... 69:
        return 'C';
    case 70 ... 89:
        return 'B';
    case 90 ... 100:
        return 'A';
    default:
        return '?';
    }
}

static int wide(unsigned long x)
{
    switch (x) {
    case 0x100000001:
        return 1;
    case 0xffffffffffffffff:
        return 2;
    case 1:
        return 3;
    }
    return 0;
}

int main(void)
{
    int points[] = { -1, 0, 49, 50, 69, 70, 90, 100, 101 };
    for (int i = 0; i < 9; i++)
        putchar(grade(points[i]));
    putchar('\n');
    printf("%d %d %d %d\n", wide(0x100000001), wide(-1), wide(1), wide(2));
    signed char c = -3;
    switch (c) {
    case 253:
        printf("unsigned\n");
        break;
    case -3:
        printf("signed\n");
    }
    unsigned char u = 253;
    switch (u) {
    case 250 ... 255:
        printf("range\n");
    }
    return 0;
}
