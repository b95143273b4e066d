//@ engines: explicit, overlay; verdict: safe
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

struct ring {
    unsigned head, count;
    int *at[8];
    unsigned last;
};

int main(void) {
    struct ring r = {0};
    unsigned i = __VERIFIER_nondet_uint() % 8;
    r.at[i] = NULL;
    r.count++;
    if (r.last || r.head)
        return *r.at[i];
    return r.count != 1;
}
