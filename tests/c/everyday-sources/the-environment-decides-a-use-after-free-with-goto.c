//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *data;
    int status = 1;
    const char *text = getenv("AMOUNT");
    int n = text ? atoi(text) : 1;
    data = malloc(4 * sizeof(int));
    if (data == NULL)
        goto out;
    data[0] = n;
    printf("%d\n", data[0]);
    free(data);
    status = 0;
    goto out;
    out:
    return status;
}
