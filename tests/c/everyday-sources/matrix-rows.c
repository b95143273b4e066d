//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int rows = 4, cols = 6;
    int **m = malloc(rows * sizeof *m);
    if (m == NULL)
        return 1;
    for (int i = 0; i < rows; i++) {
        m[i] = calloc(cols, sizeof **m);
        if (m[i] == NULL) {
            while (i-- > 0)
                free(m[i]);
            free(m);
            return 1;
        }
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            m[i][j] = i * j;
    printf("%d\n", m[3][5]);
    for (int i = 0; i < rows; i++)
        free(m[i]);
    free(m);
    return 0;
}
