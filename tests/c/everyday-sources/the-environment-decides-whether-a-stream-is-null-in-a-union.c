//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

union any {
    FILE *x;
    unsigned long raw;
    char bytes[8];
};

int main(void) {
    const char *text = getenv("AMOUNT");
    int n = text ? atoi(text) : 1;
    union any any;
    any.raw = 0;
    any.x = fopen("log.txt", "r");
    int c;
    if (any.x == NULL)
        return 1;
    c = fgetc(any.x);
    printf("%d %d\n", c, n);
    fclose(any.x);
    return 0;
}
