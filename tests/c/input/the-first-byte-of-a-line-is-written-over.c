//@ engines: explicit; verdict: clean
//@ args: --time 3
// A line that was read has a character at least and a NUL behind it, whatever is written over the first one.
#include <stdio.h>

int main(void)
{
    char line[32];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    line[0] = 'a';
    puts(line);
    return 0;
}
