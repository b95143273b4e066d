//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char name[16], out[24];
    if (!fgets(name, sizeof name, stdin)) return 0;
    snprintf(out, sizeof out + 8, "<%s> <%s>", name, name); //~ out-of-bounds
    puts(out);
    return 0;
}
