//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int keys[3] = { 3, 5, 7 };

static int *find(int key) {
    for (int i = 0; i < 3; i++)
        if (keys[i] == key)
            return &keys[i];
    return NULL;
}

int main(void) {
    srand((unsigned)time(NULL));
    int n = rand() % 16;
    int *items[3] = { 0 };
    items[1] = find(n);
    printf("%d\n", *items[1]); //~ null-deref
    return 0;
}
