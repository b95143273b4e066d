//@ engines: explicit, auto; verdict: safe
#include <stddef.h>

int main(void)
{
    int n = 2, x = 0;
    unsigned long size = sizeof(int[n++]);
    int *p = n == 2 ? NULL : &x;
    return *p + (size == 0);
}
