//@ engines: explicit; verdict: safe
#include <stdio.h>

int main(void)
{
    char line[8];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 0;
    if (line[0] == 'a')
        return 1;
    return 0;
}
