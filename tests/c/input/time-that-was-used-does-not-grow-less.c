//@ engines: explicit, graph, tvl, overlay; verdict: unknown
#include <time.h>

int main(void) {
    clock_t start = clock(), end = clock();
    if (start != -1 && end != -1 && end < start) {
        int *p = 0;
        *p = 1; //~ may null-deref
    }
    return 0;
}
