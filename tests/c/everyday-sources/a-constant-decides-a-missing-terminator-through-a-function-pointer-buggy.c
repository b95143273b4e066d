//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

static int run(const char *item) {
    char part[8];
    strncpy(part, item, sizeof part);
    puts(part); //~ out-of-bounds
    return 0;
}

int main(void) {
    const char *text = "a text that is rather long";
    int (*action)(const char *) = run;
    return action(text);
}
