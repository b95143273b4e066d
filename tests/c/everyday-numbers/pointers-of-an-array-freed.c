//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#define N 10

int main(void) {
    int *cell[N] = {NULL};
    for (int i = 0; i < N; i++) {
        cell[i] = malloc(sizeof(int));
        if (!cell[i]) break;
        *cell[i] = i;
    }
    for (int i = 0; i < N; i++)
        if (cell[i]) printf("%d\n", *cell[i]);
    for (int i = 0; i < N; i++)
        free(cell[i]);
    return 0;
}
