//@ differential
#include <stdio.h>

int main(void)
{
    int n = 0;
restart:;
    int cells[3] = { n, n + 1, n + 2 };
    int *p = &cells[n % 3];
    *p += 10;
    printf("%d %d %d\n", cells[0], cells[1], cells[2]);
    if (++n < 4)
        goto restart;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (i * j == 2)
                goto end;
            printf("%d%d ", i, j);
        }
    }
end:
    printf("\n");
    return n;
}
