//@ engines: explicit; verdict: safe
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    char digits[3];
    int n = 0, c;
    while (n < 2 && (c = getchar()) != EOF && isdigit(c))
        digits[n++] = (char)c;
    digits[n] = '\0';
    return digits[0];
}
