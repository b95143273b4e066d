//@ engines: explicit, graph, tvl, auto; verdict: safe
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
    struct mixed copy = *mixed;
    free(mixed);
    if (copy.letter == 'a')
        return copy.number;
    return 0;
}
