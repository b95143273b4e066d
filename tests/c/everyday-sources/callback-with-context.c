//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
struct context { int total; };
typedef void (*visit)(int, void *);
static void add(int v, void *data) {
    struct context *c = data;
    c->total += v;
}
static void each(const int *v, int n, visit f, void *data) {
    for (int i = 0; i < n; i++)
        f(v[i], data);
}
int main(void) {
    int v[] = { 1, 2, 3, 4 };
    struct context *c = calloc(1, sizeof *c);
    if (!c)
        return 1;
    each(v, 4, add, c);
    printf("%d\n", c->total);
    free(c);
    return 0;
}
