//@ engines: explicit; verdict: safe
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    if ((isdigit)(c) && (c < '0' || c > '9'))
        *(volatile int *)0 = 1;
    if ((toupper)(c) == 'x')
        *(volatile int *)0 = 1;
    return 0;
}
