//@ engines: explicit; verdict: unknown
// How long the text is nobody knows.
#include <stdlib.h>

int main(void)
{
    char *home = getenv("HOME");
    if (!home)
        return 0;
    char at_fifty = home[50];
    return at_fifty == 3;
}
