//@ engines: explicit; verdict: safe
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char from[4], to[4];
    from[0] = 'a';
    memcpy(to, from, sizeof to);
    memmove(from, to, sizeof from);
    fwrite(to, 1, sizeof to, stdout);
    if (write(1, to, sizeof to) < 0)
        return 1;
    return to[0] == 'a';
}
