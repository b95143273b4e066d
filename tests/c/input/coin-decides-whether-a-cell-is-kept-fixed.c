//@ engines: explicit; verdict: clean
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *cell = malloc(sizeof *cell);
    if (cell == NULL) return 1;
    *cell = 1;
    if (rand() % 2 == 0) {
        free(cell);
        cell = NULL;
    }
    if (cell != NULL) printf("%d\n", *cell);
    free(cell);
    return 0;
}
