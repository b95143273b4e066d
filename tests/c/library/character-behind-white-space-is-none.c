//@ engines: explicit; verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char command, other, pair[2], name[8];
    if (scanf(" %c %c", &command, &other) == 2) {
        assert(command != ' ' && command != '\n');
        assert(other != '\t');
    }
    if (scanf("\n%2c", pair) == 1)
        assert(pair[0] != '\n');
    if (scanf(" %7[^\n]", name) == 1)
        assert(name[0] != ' ');
    return 0;
}
