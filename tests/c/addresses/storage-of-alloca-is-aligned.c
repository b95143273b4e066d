//@ engines: explicit; verdict: safe
#include <stddef.h>
#include <stdint.h>

int main(void)
{
    char *c = __builtin_alloca(3);
    int n = 2;
    int *p = NULL;
    if ((uintptr_t)c % 16 == 0)
        p = &n;
    return *p;
}
