//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int mode = 5;
static void make(FILE **out) {
    *out = fopen("log.txt", "r");
}

int main(void) {
    int n = 3;
    if (mode == 5)
        n = 12;
    FILE *item;
    make(&item);
    int c;
    if (item == NULL)
        return 1;
    c = fgetc(item);
    printf("%d %d\n", c, n);
    fclose(item);
    return 0;
}
