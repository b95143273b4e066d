//@ engines: explicit; verdict: unknown
// Where the NUL was, the text still ends.
#include <stdlib.h>

int main(void)
{
    char *home = getenv("HOME");
    if (!home)
        return 0;
    home[0] = 'x';
    return home[1] == 'y';
}
