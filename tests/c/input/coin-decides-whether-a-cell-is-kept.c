//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *cell = malloc(sizeof *cell);
    if (cell == NULL) return 1;
    *cell = 1;
    if (rand() % 2 == 0) {
        free(cell);
    }
    if (cell != NULL) printf("%d\n", *cell); //~ use-after-free
    free(cell);
    return 0;
}
