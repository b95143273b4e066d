//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int n = 0;
    for (int i = 0; i < 12; i++)
        n++;
    FILE *item;
    int tries = 0;
    again:
    tries++;
    if (tries < 2)
        goto again;
    item = fopen("log.txt", "r");
    int c;
    c = fgetc(item); //~ null-deref
    printf("%d %d\n", c, n);
    fclose(item);
    return 0;
}
