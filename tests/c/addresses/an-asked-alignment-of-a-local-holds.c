//@ engines: explicit, auto; verdict: safe
#include <stddef.h>
#include <stdint.h>

typedef int line __attribute__((aligned(128)));
struct wide { _Alignas(64) char bytes[3]; };

int main(void)
{
    _Alignas(32) char c[3] = {0};
    char d __attribute__((aligned(64))) = 0;
    line e = 0;
    struct wide f = {{0}};
    static _Alignas(4096) char page[4096];
    int n = 2;
    int *p = NULL;
    if ((uintptr_t)c % 32 == 0 && (uintptr_t)&d % 64 == 0 && ((uintptr_t)&e & 127) == 0 && (uintptr_t)&f % 64 == 0 &&
        ((uintptr_t)page & 4095) == 0)
        p = &n;
    return *p;
}
