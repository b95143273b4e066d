//@ engines: explicit, overlay; verdict: unsafe
//@ args: -O2 -D_FORTIFY_SOURCE=2
#include <unistd.h>

int main(void)
{
    char block[16];
    ssize_t length = read(0, block, 15);
    if (length < 0)
        return 1;
    return block[length] == 'a'; //~ uninitialised
}
