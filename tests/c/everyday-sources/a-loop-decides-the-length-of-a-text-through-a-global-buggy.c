//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

static const char *current;

static int process(void) {
    char small[10];
    strcpy(small, current); //~ out-of-bounds
    puts(small);
    return 0;
}

int main(void) {
    char text[32];
    int k;
    for (k = 0; k < 25; k++)
        text[k] = 'a';
    text[k] = '\0';
    current = text;
    return process();
}
