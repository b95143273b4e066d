//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    char text[2];
    putchar(text[1]); //~ uninitialised
    return 0;
}
