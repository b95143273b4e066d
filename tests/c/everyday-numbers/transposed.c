//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int rows = 3, cols = 5;
    int *m = malloc(rows * cols * sizeof *m);
    if (!m) return 1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            m[i * cols + j] = i + j;
    printf("%d\n", m[(rows - 1) * cols + cols - 1]);
    free(m);
    return 0;
}
