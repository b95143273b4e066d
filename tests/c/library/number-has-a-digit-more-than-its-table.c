//@ engines: explicit; verdict: unsafe
#include <stdio.h>

static char table[100];

int main(void)
{
    char line[4];
    int number;
    if (fgets(line, sizeof line, stdin) == NULL || sscanf(line, "%d", &number) != 1 || number < 0)
        return 1;
    return table[number]; //~ out-of-bounds
}
