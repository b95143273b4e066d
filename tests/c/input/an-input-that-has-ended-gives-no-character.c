//@ engines: explicit, graph, tvl, overlay; verdict: unknown
// It does, where it is a terminal; no file shows that.
#include <stdio.h>

int main(void) {
    if (getchar() == EOF && getchar() != EOF) {
        int *p = NULL;
        *p = 1; //~ may null-deref
    }
    return 0;
}
