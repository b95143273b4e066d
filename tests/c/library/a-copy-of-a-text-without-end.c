//@ engines: explicit; verdict: unsafe
#define _GNU_SOURCE
#include <string.h>

int main(void) {
    char copy[4], text[2] = {'a', 'b'};
    stpncpy(copy, text, 4); //~ out-of-bounds
    return copy[0] != 'a';
}
