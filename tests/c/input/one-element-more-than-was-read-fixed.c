//@ engines: explicit; verdict: safe
#include <stdio.h>

int main(void)
{
    int numbers[4], last = 0;
    size_t n = fread(numbers, sizeof numbers[0], 4, stdin);
    for (size_t i = 0; i < n; i++)
        last = numbers[i];
    return last != 0;
}
