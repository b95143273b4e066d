//@ engines: explicit; verdict: safe
// What is open is decided once, and goes with copies; memset and stores of members do what they did.
#include <stddef.h>
#include <string.h>

struct pair {
    char c;
    int v;
};

struct three {
    struct pair pairs[2];
    char last;
};

int main(void)
{
    struct three t = {{{1, 2}, {3, 4}}, 5}, copy = t;
    unsigned char *byte = (unsigned char *)&t;
    int seen = byte[1];
    t.pairs[0].c = 9;
    if (seen != byte[1] || byte[1] != ((unsigned char *)&copy)[1])
        *(volatile int *)NULL = 1;
    if (t.pairs[1].c != 3 || t.pairs[1].v != 4 || t.last != 5)
        *(volatile int *)NULL = 1;
    memset(&t, 0, sizeof t);
    if (byte[1] != 0)
        *(volatile int *)NULL = 1;
    return 0;
}
