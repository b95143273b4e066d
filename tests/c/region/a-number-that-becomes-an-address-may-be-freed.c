//@ engines: region; verdict: unknown
//@ args: --property heap
// The number is never freed, but that is not followed.
#include <stdlib.h>

#define FAILED ((char *)-1)

static char *find(int n) {
    if (n < 0)
        return FAILED;
    return malloc(4);
}

int __VERIFIER_nondet_int(void);

int main(void) {
    char *p = find(__VERIFIER_nondet_int());
    if (p != FAILED)
        free(p);
    return 0;
}
