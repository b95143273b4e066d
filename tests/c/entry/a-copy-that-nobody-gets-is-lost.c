//@ engines: explicit, auto; verdict: unsafe
//@ args: --entry copy
#include <stdlib.h>

struct box {
    int value;
};

int copy(const struct box *of)
{
    struct box *made = malloc(sizeof *made);
    if (!made)
        return -1;
    made->value = of->value;
    return made->value; //~ leak
}
