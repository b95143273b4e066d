//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    char text[4];
    text[0] = 'a';
    printf("%s\n", text); //~ uninitialised
    return 0;
}
