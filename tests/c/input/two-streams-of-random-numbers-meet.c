//@ engines: explicit, auto; verdict: unsafe
#include <stdlib.h>

int main(void) {
    int slots[4] = {0};
    int from = rand() % 4, to = rand() % 4;
    int distance = to - from;
    slots[distance] = 1; //~ out-of-bounds
    return slots[0];
}
