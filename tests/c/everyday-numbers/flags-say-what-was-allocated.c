//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#define N 10

int main(void) {
    char *block[N];
    int have[N] = {0};
    for (int i = 0; i < N; i++) {
        if (rand() % 2) {
            block[i] = malloc(16);
            if (block[i]) have[i] = 1;
        }
    }
    for (int i = 0; i < N; i++) {
        if (have[i])
            free(block[i]);
    }
    return 0;
}
