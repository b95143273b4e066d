//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
#include <stdio.h>

int main(void) {
    if (getchar() == EOF && getchar() == EOF) {
        int *p = NULL;
        *p = 1; //~ null-deref
    }
    return 0;
}
