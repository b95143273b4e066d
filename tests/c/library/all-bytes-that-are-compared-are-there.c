//@ engines: explicit; verdict: safe
// No bytes are none.
#include <string.h>

int main(void)
{
    char b[4];
    b[0] = 'a';
    if (memcmp(b, "xyzw", 1) == 0)
        return 1;
    // `memchr` looks no further than what it finds, `strncmp` no further than NUL.
    return memcmp(b + 4, "", 0) || memchr(b, 'a', 9) == 0 || strncmp("a", "a", 9);
}
