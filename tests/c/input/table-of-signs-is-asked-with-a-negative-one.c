//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>

static const unsigned char kinds[128] = {['0'] = 1, ['1'] = 1};

int main(void) {
    char text[4];
    if (fgets(text, sizeof text, stdin) == NULL) return 1;
    signed char first = (signed char)text[0];
    return kinds[first]; //~ out-of-bounds
}
