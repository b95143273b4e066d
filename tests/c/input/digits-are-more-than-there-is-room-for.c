//@ engines: explicit; verdict: unsafe
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    char digits[3];
    int n = 0, c;
    while ((c = getchar()) != EOF && isdigit(c))
        digits[n++] = (char)c; //~ out-of-bounds
    digits[n] = '\0'; //~ may out-of-bounds
    return digits[0];
}
