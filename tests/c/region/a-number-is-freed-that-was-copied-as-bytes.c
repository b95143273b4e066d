//@ engines: region; verdict: unknown
//@ engines: explicit, overlay, auto; verdict: unsafe
//@ args: --property heap
#include <stdlib.h>
#include <string.h>

struct numbered {
    long number;
    long address;
};

struct named {
    long number;
    char *name;
};

static void take(struct named *to, const struct numbered *from)
{
    memcpy(to, from, sizeof *to);
}

int main(void)
{
    struct numbered numbered = { 0, 32 };
    struct named named;
    take(&named, &numbered);
    free(named.name); //~ may invalid-free
    return 0;
}
