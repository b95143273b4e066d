//@ engines: region; verdict: unknown
//@ args: --property heap
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
    free(p); //~ may invalid-free
    return 0;
}
