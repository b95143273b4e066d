//@ engines: explicit; verdict: safe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char line[8];
    int table[4] = {0};
    if (fgets(line, sizeof line, stdin) == NULL)
        return 0;
    int index = atoi(line);
    if (index < 0 || index >= 4)
        return 0;
    return table[index];
}
