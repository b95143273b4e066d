//@ engines: explicit, auto; verdict: safe
// An operand of `sizeof` or `typeof` is evaluated only if its own type is a variable-length array.
#include <stddef.h>

int main(void)
{
    int n = 2, i = 0, x = 0;
    int a[n][n];
    unsigned long size = sizeof(i++) + sizeof(a[i++][0]);
    __typeof__(i++) j = 0;
    int *p = i ? NULL : &x;
    return *p + (size == 0) + j;
}
