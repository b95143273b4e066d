//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int main(void) {
    char *lang = getenv("LANG");
    if (strcmp(lang, "C") == 0) //~ null-deref
        puts("plain");
    return 0;
}
