//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdlib.h>
#include <stdio.h>
struct holder { int *data; };
static struct holder copy(struct holder h) {
    return h;
}
int main(void) {
    struct holder a = { malloc(sizeof(int)) };
    if (a.data)
        *a.data = 1;
    struct holder b = copy(a);
    free(a.data);
    free(b.data); //~ double-free
    return 0;
}
