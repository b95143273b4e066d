//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <stdbool.h>
static const bool debug = true;
union any {
    FILE *item;
    unsigned long raw;
    char bytes[8];
};

int main(void) {
    int n = debug ? 12 : 3;
    union any any, other;
    any.item = fopen("log.txt", "w");
    other = any;
    if (other.item == NULL)
        return 1;
    fputs("start\n", other.item);
    if (n > 5)
        fclose(other.item);
    fprintf(other.item, "%d\n", n); //~ use-after-free
    if (n <= 5)
        fclose(other.item);
    return 0;
}
