//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

int main(void)
{
    const char *home = getenv("HOME");
    return home[0] == '/'; //~ null-deref
}
