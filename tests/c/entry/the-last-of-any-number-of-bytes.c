//@ engines: explicit, auto; verdict: unknown
//@ args: --entry f
#include <stddef.h>
void f(char *to, size_t n) {
    if (n > 0)
        to[n - 1] = 0; //~ may out-of-bounds
}
