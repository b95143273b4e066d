//@ engines: explicit; verdict: safe
// Behind the first difference there need not be a value, and no bytes are none.
#include <string.h>

int main(void)
{
    char b[4];
    b[0] = 'a';
    if (memcmp(b, "xyzw", 4) == 0)
        return 1;
    // `memchr` looks no further than what it finds, `strncmp` no further than NUL.
    return memcmp(b + 4, "", 0) || memchr(b, 'a', 9) == 0 || strncmp("a", "a", 9);
}
