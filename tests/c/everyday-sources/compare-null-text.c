//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int main(void) {
    char *lang = getenv("LANG");
    if (lang != NULL && strcmp(lang, "C") == 0)
        puts("plain");
    return 0;
}
