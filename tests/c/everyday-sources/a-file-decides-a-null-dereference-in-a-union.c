//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>

static int store;
static int ask(void) {
    int v = 1;
    printf("how many? ");
    if (scanf("%d", &v) < 1)
        return 1;
    return v;
}

union any {
    int *p;
    unsigned long raw;
    char bytes[8];
};

int main(void) {
    int n = ask();
    union any any;
    any.raw = 0;
    any.p = n > 10 ? NULL : &store;
    if (any.p != NULL)
        *any.p = 4;
    printf("%d\n", store);
    return 0;
}
