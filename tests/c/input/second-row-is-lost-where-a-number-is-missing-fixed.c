//@ engines: explicit; verdict: clean
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *row = malloc(2 * sizeof *row);
    if (row == NULL) return 1;
    if (scanf("%d", &row[0]) != 1) {
        free(row);
        return 1;
    }
    free(row);
    return 0;
}
