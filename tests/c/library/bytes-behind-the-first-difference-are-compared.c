//@ engines: explicit; verdict: unsafe
#include <string.h>

int main(void)
{
    char left[4], right[4];
    left[0] = 1;
    right[0] = 2;
    return memcmp(left, right, sizeof left) != 0; //~ uninitialised
}
