//@ engines: explicit, overlay; verdict: unsafe
//@ args: -O2 -D_FORTIFY_SOURCE=3
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[16];
    if (fgets(line, 20, stdin) == NULL) //~ out-of-bounds
        return 1;
    line[strlen(line)] = 0;
    return 0;
}
