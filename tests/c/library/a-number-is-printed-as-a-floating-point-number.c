//@ engines: explicit, graph, tvl, overlay, refine, region; verdict: unknown
// What is printed is not the argument: it was perhaps never written.
#include <stdio.h>

int main(void) {
    printf("%d %f\n", 1, 3);
    return 0;
}
