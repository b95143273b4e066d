//@ engines: explicit, auto; verdict: safe
//@ args: --entry copy
#include <stdlib.h>

struct box {
    int value;
};

struct box *copy(const struct box *of)
{
    struct box *made = malloc(sizeof *made);
    if (made)
        made->value = of->value;
    return made;
}
