//@ engines: explicit; verdict: safe
//@ args: --property assert
#include <assert.h>

int main(void)
{
    int x[2];
    int *p = x;
    if (p[1] == 5)
        assert(p[1] == 5);
    return 0;
}
