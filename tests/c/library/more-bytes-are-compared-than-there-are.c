//@ engines: explicit; verdict: unsafe
// `memcmp` may look at all bytes, though the first ones differ.
#include <string.h>

int main(void)
{
    char b[3] = {'a', 'b', 'c'};
    return memcmp(b, "xyzw", 4) == 0; //~ out-of-bounds
}
