//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdlib.h>
#include <stdio.h>
struct holder { int *data; };
static struct holder copy(struct holder h) {
    struct holder r = { malloc(sizeof(int)) };
    if (r.data)
        *r.data = h.data ? *h.data : 0;
    return r;
}
int main(void) {
    struct holder a = { malloc(sizeof(int)) };
    if (a.data)
        *a.data = 1;
    struct holder b = copy(a);
    free(a.data);
    free(b.data);
    return 0;
}
