//@ engines: explicit; verdict: unsafe
//@ args: --property assert
#include <assert.h>

int main(void)
{
    int x;
    if (x == 5)
        assert(x != 5); //~ assert
    return 0;
}
