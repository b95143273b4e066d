//@ engines: explicit, auto; verdict: unsafe
//@ args: --entry drop
#include <stdlib.h>

struct box {
    int value;
};

int drop(struct box *box)
{
    free(box);
    return box->value; //~ use-after-free
}
