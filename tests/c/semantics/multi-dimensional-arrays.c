//@ differential
#include <stdio.h>

static int cube[2][3][4];

static int trace(int m[][3], int n)
{
    int t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][i];
    return t;
}

int main(void)
{
    int *flat = &cube[0][0][0];
    for (int i = 0; i < 24; i++)
        flat[i] = i;
    printf("%d %d %d\n", cube[1][2][3], cube[0][1][0], cube[1][0][2]);
    int (*plane)[4] = cube[1];
    printf("%d %d\n", plane[2][1], (*(plane + 1))[3]);
    printf("%zu %zu %zu\n", sizeof cube, sizeof cube[0], sizeof cube[0][0]);
    int m[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
    printf("%d\n", trace(m, 3));
    int (*row)[3] = &m[2];
    printf("%d %ld %ld\n", (*row)[1], (long)(row - m), (long)(&m[2][1] - &m[1][2]));
    int t[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t[j][i] = m[i][j] * (i - j);
    printf("%d %d %d\n", t[0][2], t[2][0], t[1][1]);
    return 0;
}
