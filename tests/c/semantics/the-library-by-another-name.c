//@ engines: explicit, graph, tvl, overlay; verdict: unknown
// Which function of the library the name stands for is not looked up.
#include <stdlib.h>

void give_back(void *block) __asm__("free");

int main(void) {
    char *block = malloc(8);
    if (!block) {
        return 0;
    }
    give_back(block);
    block[0] = 1;
    return 0;
}
