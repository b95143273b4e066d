//@ engines: overlay; verdict: safe
//@ engines: explicit; verdict: clean
//@ args: -O2 -D_FORTIFY_SOURCE=3
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[16];
    if (fgets(line, 16, stdin) == NULL)
        return 1;
    line[strlen(line)] = 0;
    return 0;
}
