//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int work(char *p, int n) {
    if (!p)
        return 1;
    puts(p);
    free(p);
    return 0;
}

int main(void) {
    int n = 0;
    for (int i = 0; i < 12; i++)
        n++;
    return work(strdup("pear"), n);
}
