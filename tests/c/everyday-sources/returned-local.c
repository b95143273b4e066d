//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
static const char *name_of(int n) {
    static char text[20];
    snprintf(text, sizeof text, "item %d", n);
    return text;
}
int main(void) {
    const char *s = name_of(3);
    if (s)
        puts(s);
    return 0;
}
