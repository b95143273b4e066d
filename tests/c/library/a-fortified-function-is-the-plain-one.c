//@ engines: explicit, overlay; verdict: unsafe
//@ args: -O2 -D_FORTIFY_SOURCE=2
#include <string.h>
#include <unistd.h>

int main(void)
{
    char name[16];
    memset(name, 0, sizeof name);
    return ttyname_r(0, name, 20); //~ out-of-bounds
}
