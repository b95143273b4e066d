//@ engines: explicit; verdict: unsafe
// There is room for the NUL alone, and it is written over.
#include <stdio.h>

int main(void)
{
    char line[32];
    if (!fgets(line, 1, stdin))
        return 0;
    line[0] = 'a';
    puts(line); //~ uninitialised
    return 0;
}
