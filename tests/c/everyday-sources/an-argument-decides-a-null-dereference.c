//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static int keys[3] = { 3, 5, 7 };

static int *find(int key) {
    for (int i = 0; i < 3; i++)
        if (keys[i] == key)
            return &keys[i];
    return NULL;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1;
    int *item = find(n);
    if (!item)
        return 1;
    printf("%d\n", *item);
    return 0;
}
