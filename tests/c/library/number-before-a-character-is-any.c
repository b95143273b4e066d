//@ engines: explicit; verdict: unsafe
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int number;
    char unit;
    if (scanf("%d%c", &number, &unit) == 2)
        assert(number != 7); //~ assert
    return 0;
}
