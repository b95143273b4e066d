//@ engines: explicit; verdict: safe
// Behind a byte that is not NUL there is another one.
#include <stdlib.h>

int main(void)
{
    char *home = getenv("HOME");
    if (!home || home[0] != '/')
        return 0;
    if (home[1] && home[2] == '/')
        return home[3] == 3;
    return 1;
}
