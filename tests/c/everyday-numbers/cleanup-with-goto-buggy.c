//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int status = 1;
    int *a = NULL, *b = NULL;
    int n = 25;
    a = malloc(n * sizeof *a);
    if (!a) goto out;
    b = malloc(n * sizeof *b);
    if (!b) goto out;
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = a[i] * a[i]; //~ may uninitialised
    }
    printf("%d\n", b[n - 1]); //~ may uninitialised
    status = 0;
out:
    free(b);
    return status; //~ leak
}
