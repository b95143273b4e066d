//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdlib.h>
#include <stdio.h>
struct pool { char memory[64]; size_t used; };
static struct pool pool;
static void *take(size_t n) {
    if (pool.used + n > sizeof pool.memory)
        return NULL;
    void *p = pool.memory + pool.used;
    pool.used += n;
    return p;
}
int main(void) {
    char *a = take(10);
    if (a == NULL)
        return 1;
    a[0] = 'x';
    putchar(a[0]);
    free(a); //~ invalid-free
    return 0;
}
