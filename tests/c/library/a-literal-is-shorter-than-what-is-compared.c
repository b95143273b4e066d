//@ engines: explicit; verdict: unsafe
#include <string.h>

int main(void)
{
    return memcmp("ab", "abcd", 5) == 0; //~ out-of-bounds
}
