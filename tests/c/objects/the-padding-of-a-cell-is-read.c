//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
// Three bytes of the four that are read belong to no member.
#include <stdlib.h>

struct mixed {
    char letter;
    int number;
};

int main(void)
{
    struct mixed *mixed = malloc(sizeof *mixed);
    if (!mixed)
        return 0;
    mixed->letter = 'a';
    mixed->number = 1;
    int both = *(int *)mixed;
    free(mixed);
    if (both) //~ may uninitialised
        return 1;
    return 0;
}
