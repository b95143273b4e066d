//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
struct pair { int *first, *second; };
static struct pair make(void) {
    struct pair p = { malloc(sizeof(int)), malloc(sizeof(int)) };
    if (p.first)
        *p.first = 1;
    if (p.second)
        *p.second = 2;
    return p;
}
int main(void) {
    struct pair p = make();
    if (p.first == NULL || p.second == NULL) {
        free(p.first);
        free(p.second);
        return 1;
    }
    free(p.first);
    printf("%d\n", *p.first); //~ use-after-free
    free(p.second);
    return 0;
}
