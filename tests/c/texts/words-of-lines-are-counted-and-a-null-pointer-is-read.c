//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>

static int count(const char *s) {
    int n = 0, in = 0;
    for (; *s; s++) {
        if (isspace((unsigned char)*s)) in = 0;
        else if (!in) { in = 1; n++; }
    }
    return n;
}
int main(void) {
    char line[256];
    int total = 0;
    while (fgets(line, sizeof line, stdin)) total += count(line);
    printf("%d\n", total);
    if (total == 3) { char *e = getenv("E"); printf("%d\n", e[0]); } //~ null-deref
    return 0;
}
