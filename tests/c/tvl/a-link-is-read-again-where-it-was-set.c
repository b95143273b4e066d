//@ engines: tvl; verdict: safe
/* The second link is read on one way, and again behind the point where ways meet, only if it was set: elsewhere it holds
 * nothing, and nobody looks. */
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
    if (is_set)
        pair->second->first = pair;
    free(pair);
    return 0;
}
