//@ engines: explicit; verdict: unsafe
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char name[8];
    if (scanf(" %7[^\n]", name) == 1)
        assert(name[1] != ' '); //~ assert
    return 0;
}
