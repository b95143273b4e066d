//@ engines: explicit; verdict: unknown
// Four bytes are written; of the text only as many are read as it has.
#define _GNU_SOURCE
#include <string.h>

int main(void) {
    char copy[4];
    stpncpy(copy, "a", 4);
    return copy[0] != 'a';
}
