//@ engines: explicit, auto; verdict: unknown
//@ args: --entry f
#include <string.h>
void f(char *to, size_t n) {
    memset(to, 0, n); //~ may out-of-bounds
}
