//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
static const char *const months[12] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
int main(int argc, char *argv[]) {
    if (argc < 2)
        return 1;
    long m = strtol(argv[1], NULL, 10);
    if (m < 0 || m > 12)
        return 1;
    printf("%s\n", months[m - 1]); //~ out-of-bounds
    return 0;
}
