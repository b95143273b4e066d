//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char name[16], out[24];
    if (!fgets(name, sizeof name, stdin)) return 0;
    snprintf(out, sizeof out, "<%s> <%s>", name, name);
    puts(out);
    return 0;
}
