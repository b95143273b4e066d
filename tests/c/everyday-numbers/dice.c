//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    int thrown[7] = {0};
    srand((unsigned)time(NULL));
    for (int i = 0; i < 60; i++) {
        int a = rand() % 6 + 1, b = rand() % 6 + 1;
        thrown[a]++;
        thrown[b]++;
    }
    for (int i = 1; i < 7; i++)
        printf("%d: %d\n", i, thrown[i]);
    return 0;
}
