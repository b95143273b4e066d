//@ engines: explicit; verdict: unknown
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int number;
    char unit, digits[8];
    if (scanf("%d%c", &number, &unit) == 2)
        assert(unit != '7'); //~ may assert
    if (scanf("%d%7[0-9]", &number, digits) == 2)
        assert(number == 0); //~ may assert
    return 0;
}
