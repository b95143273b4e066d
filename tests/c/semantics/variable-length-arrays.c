//@ differential
#include <stdio.h>

static int sum(int n, int m, int a[n][m])
{
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j];
    return s;
}

int main(void)
{
    for (int n = 1; n < 4; n++) {
        int m = n + 1;
        int a[n][m];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = i * 10 + j;
        printf("%d %zu %zu ", sum(n, m, a), sizeof a, sizeof a[0]);
        int (*last)[m] = &a[n - 1];
        printf("%d\n", (*last)[m - 1]);
        char text[n * 2 + 1];
        int k;
        for (k = 0; k < n * 2; k++)
            text[k] = 'a' + k;
        text[k] = 0;
        printf("%s %zu\n", text, sizeof text);
    }
    int n = 3;
    int b[n];
    n = 100;
    printf("%zu\n", sizeof b / sizeof b[0]);
    return 0;
}
