//@ engines: explicit; verdict: safe
#include <stdio.h>

int main(void)
{
    char line[8];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 0;
    if (line[0] == '\n' && line[1] != 0)
        *(volatile int *)NULL = 1;
    return 0;
}
