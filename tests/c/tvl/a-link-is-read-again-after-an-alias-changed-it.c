//@ engines: explicit, tvl; verdict: unsafe
/* The link is known on one of the ways that meet, and another pointer to the same cell changes it behind. */
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct pair {
    struct pair *first;
    struct pair *second;
};

int main(void)
{
    struct pair *pair = calloc(1, sizeof *pair);
    if (pair == NULL)
        return 0;
    struct pair *same = pair;
    pair->second = pair;
    pair->first = pair;
    if (__VERIFIER_nondet_int())
        pair->second->first = pair;
    same->second = NULL;
    pair->second->first = pair; //~ null-deref
    free(pair);
    return 0;
}
