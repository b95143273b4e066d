//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
// The copy was all zeros before.
#include <stdlib.h>
#include <string.h>

struct mixed {
    char letter;
    int number;
};

int main(void)
{
    struct mixed mixed, copy;
    mixed.letter = 'a';
    mixed.number = 1;
    memset(&copy, 0, sizeof copy);
    copy = mixed;
    int both;
    memcpy(&both, &copy, sizeof both);
    if (both) //~ may uninitialised
        return 1;
    return 0;
}
