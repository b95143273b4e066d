//@ engines: explicit, graph, tvl, overlay; verdict: unknown
#include <stdlib.h>

int main(void) {
    unsetenv("HOME");
    if (getenv("HOME") != NULL) {
        int *p = NULL;
        *p = 1; //~ may null-deref
    }
    return 0;
}
