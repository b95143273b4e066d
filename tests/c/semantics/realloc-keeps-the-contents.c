//@ differential
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    unsigned *v = NULL;
    unsigned used = 0, capacity = 0;
    for (unsigned i = 1; i < 5000; i = i * 3 + 1) {
        if (used == capacity) {
            capacity = capacity ? capacity * 2 : 1;
            unsigned *grown = realloc(v, capacity * sizeof *v);
            if (!grown) {
                free(v);
                return 1;
            }
            v = grown;
        }
        v[used++] = i;
    }
    for (unsigned i = 0; i < used; i++)
        printf("%u ", v[i]);
    unsigned *small = realloc(v, 2 * sizeof *v);
    if (!small) {
        free(v);
        return 1;
    }
    printf("| %u %u\n", small[0], small[1]);
    free(small);
    int *zeroes = calloc(4, sizeof *zeroes);
    if (!zeroes)
        return 1;
    zeroes[2] = 7;
    printf("%d %d %d %d\n", zeroes[0], zeroes[1], zeroes[2], zeroes[3]);
    free(zeroes);
    free(NULL);
    return 0;
}
