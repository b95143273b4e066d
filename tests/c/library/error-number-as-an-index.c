//@ engines: explicit; verdict: clean
#include <errno.h>
#include <stdio.h>
int table[4];
int main(void)
{
    FILE *f = fopen("x", "r");
    if (!f)
        return errno > 0 && errno < 4 ? table[errno] : 0;
    fclose(f);
    return 0;
}
