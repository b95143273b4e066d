//@ engines: explicit, overlay; verdict: unknown
#include <errno.h>
#include <stdio.h>
int table[4];
int main(void)
{
    FILE *f = fopen("x", "r");
    if (!f)
        return table[errno]; //~ out-of-bounds
    fclose(f);
    return 0;
}
