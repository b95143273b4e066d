//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
#include <stdlib.h>

void give_back(void *block) __asm__("free");

int main(void) {
    char *block = malloc(8);
    if (!block) {
        return 0;
    }
    give_back(block);
    block[0] = 1; //~ use-after-free
    return 0;
}
