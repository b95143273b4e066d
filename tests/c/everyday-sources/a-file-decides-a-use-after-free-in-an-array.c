//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static int ask(void) {
    int v = 1;
    printf("how many? ");
    if (scanf("%d", &v) < 1)
        return 1;
    return v;
}

int main(void) {
    int n = ask();
    int *items[3] = { 0 };
    items[1] = malloc(sizeof(int));
    if (!items[1])
        return 1;
    *items[1] = 7;
    free(items[1]);
    if (n > 5) {
        puts("gone");
    }
    return 0;
}
