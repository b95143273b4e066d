//@ engines: tvl; verdict: unsafe
/* The second link is read also where it was not set. */
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct pair {
    struct pair *first;
    struct pair *second;
};

int main(void)
{
    struct pair *pair = malloc(sizeof *pair);
    if (pair == NULL)
        return 0;
    pair->first = NULL;
    int is_set = 0;
    if (__VERIFIER_nondet_int()) {
        pair->second = pair;
        is_set = 1;
        if (pair->second == NULL)
            abort();
    }
    (void)is_set;
    pair->second->first = pair; //~ uninitialised
    free(pair);
    return 0;
}
