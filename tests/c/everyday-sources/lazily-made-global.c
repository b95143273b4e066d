//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdlib.h>
#include <stdio.h>
static int *cache;
static void prepare(void) {
    if (cache == NULL) {
        cache = calloc(16, sizeof *cache);
        if (cache == NULL)
            exit(1);
    }
}
int main(void) {
    prepare();
    cache[3] = 7;
    prepare();
    printf("%d\n", cache[3]);
    free(cache);
    cache = NULL;
    return 0;
}
