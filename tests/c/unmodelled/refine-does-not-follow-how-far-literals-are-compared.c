//@ engines: refine; verdict: unknown
//@ engines: explicit; verdict: safe
#include <string.h>

int main(void)
{
    return memcmp("ab", "abcd", 2) == 0;
}
