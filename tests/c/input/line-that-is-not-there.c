//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    char line[8];
    fgets(line, sizeof line, stdin);
    if (line[0] == 'a') //~ uninitialised
        return 1;
    return 0;
}
