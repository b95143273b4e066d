//@ engines: region; verdict: unknown
//@ args: --property heap
#include <stdlib.h>

int main(void) {
    free((void *)16); //~ may invalid-free
    return 0;
}
