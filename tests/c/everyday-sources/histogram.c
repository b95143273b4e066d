//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int bins[5] = { 0 };
    for (int i = 0; i < 50; i++) {
        int r = rand() % 100;
        bins[r / 20]++;
    }
    for (int i = 0; i < 5; i++)
        printf("%d\n", bins[i]);
    return 0;
}
