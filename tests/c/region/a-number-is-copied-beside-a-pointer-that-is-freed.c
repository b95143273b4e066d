//@ engines: region; verdict: safe
//@ args: --property heap
#include <stdlib.h>
#include <string.h>

struct named {
    long number;
    char *name;
};

static void take(struct named *to, const struct named *from)
{
    memcpy(to, from, sizeof *to);
}

int main(void)
{
    struct named first = { 32, malloc(4) };
    struct named named;
    take(&named, &first);
    free(named.name);
    return 0;
}
