//@ engines: explicit, auto; verdict: safe
#include <stdio.h>

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    setbuf(stdin, NULL);
    return 0;
}
