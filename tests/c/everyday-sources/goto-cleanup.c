//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int status = 1;
    char *a = NULL, *b = NULL;
    a = malloc(10);
    if (a == NULL)
        goto out;
    b = malloc(20);
    if (b == NULL) {
        goto out;
    }
    a[0] = b[0] = 'q';
    putchar(a[0]);
    status = 0;
out:
    free(b);
    free(a);
    return status;
}
