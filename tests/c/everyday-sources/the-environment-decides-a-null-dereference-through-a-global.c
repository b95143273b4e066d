//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static int *current;

static int work(int n) {
    if (current == NULL)
        return 1;
    *current = n;
    printf("%d\n", *current);
    free(current);
    return 0;
}

int main(void) {
    const char *text = getenv("AMOUNT");
    int n = text ? atoi(text) : 1;
    current = malloc(sizeof(int));
    return work(n);
}
