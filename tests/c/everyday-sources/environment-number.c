//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
static int workers(void) {
    const char *t = getenv("WORKERS");
    if (t == NULL || *t == '\0')
        return 4;
    return atoi(t);
}
int main(void) {
    int jobs = 100, n = workers();
    if (n < 1)
        n = 1;
    printf("%d each\n", jobs / n);
    return 0;
}
