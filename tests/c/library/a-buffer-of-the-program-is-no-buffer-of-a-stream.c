//@ engines: explicit, auto; verdict: unknown
#include <stdio.h>

int main(void)
{
    char buffer[BUFSIZ];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    puts("kept");
    return 0;
}
