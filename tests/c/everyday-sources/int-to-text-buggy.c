//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0;
    char text[8];
    sprintf(text, "%d", n); //~ out-of-bounds
    puts(text);
    return 0;
}
