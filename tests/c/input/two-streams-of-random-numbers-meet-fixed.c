//@ engines: explicit; verdict: clean
#include <stdlib.h>

int main(void) {
    int slots[4] = {0};
    int from = rand() % 4, to = rand() % 4;
    int distance = to - from;
    if (distance < 0) distance = -distance;
    slots[distance] = 1;
    return slots[0];
}
