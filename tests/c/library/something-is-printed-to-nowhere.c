//@ engines: explicit, overlay, auto; verdict: unsafe
#include <stdio.h>

int main(void)
{
    return snprintf(0, 3, "x") != 1; //~ null-deref
}
