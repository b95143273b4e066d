//@ engines: explicit, auto; verdict: safe
// Neither `typeof` nor `sizeof` evaluates an operand that is no variable-length array.
#include <stddef.h>

int main(void)
{
    int i = 0, x = 0;
    int a[2][2] = {{0}};
    __typeof__(a[i++]) *row = a;
    unsigned long size = sizeof(a[i++]);
    int *p = i ? NULL : &x;
    return *p + (size == 0) + (*row)[0];
}
