//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    int numbers[4], sum = 0;
    size_t n = fread(numbers, sizeof numbers[0], 4, stdin);
    for (size_t i = 0; i <= n; i++)
        sum |= numbers[i]; //~ uninitialised
    //~^ out-of-bounds
    return sum != 0;
}
