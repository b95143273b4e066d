//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    char line[8];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 0;
    if (line[5] == 'a') //~ uninitialised
        return 1;
    return 0;
}
