//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int rows = 5, cols = 7;
    int **m = malloc(rows * sizeof *m);
    if (!m) return 1;
    for (int i = 0; i < rows; i++) {
        m[i] = calloc(cols, sizeof **m);
        if (!m[i]) {
            free(m); //~ leak
            return 1;
        }
    }
    m[2][3] = 4;
    printf("%d\n", m[2][3]);
    for (int i = 0; i < rows; i++)
        free(m[i]);
    free(m);
    return 0;
}
