//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdlib.h>
#include <stdio.h>
static int *cache;
static void prepare(void) {
    if (cache == NULL) {
        cache = calloc(16, sizeof *cache);
    }
}
int main(void) {
    prepare();
    cache[3] = 7; //~ null-deref
    prepare();
    printf("%d\n", cache[3]);
    free(cache);
    cache = NULL;
    return 0;
}
