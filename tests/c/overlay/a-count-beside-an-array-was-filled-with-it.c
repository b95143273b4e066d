//@ engines: explicit, overlay; verdict: unsafe
// The same bytes are written over the counts and the array; the array alone is indexed.
#include <stdlib.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);

struct slots {
    unsigned head, count;
    char *at[8];
};

int main(void) {
    struct slots *s = calloc(1, sizeof *s);
    if (!s)
        return 0;
    memset(s, 255, sizeof *s);
    unsigned i = __VERIFIER_nondet_uint() % 8;
    s->at[i] = NULL;
    if (s->count)
        return 1; //~ leak
    free(s);
    return 0;
}
