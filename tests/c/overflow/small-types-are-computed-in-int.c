//@ engines: explicit, overlay; verdict: safe
//@ args: --property overflow
#include <limits.h>

int main(void) {
    short s = SHRT_MAX;
    char c = CHAR_MAX;
    unsigned u = 0;
    s++;
    c += 1;
    u--;
    u = u + 2 * u;
    return s > c;
}
