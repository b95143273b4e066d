//@ engines: explicit; verdict: unsafe
//@ args: --property out-of-bounds
#include <stdlib.h>

int main(void)
{
    unsigned char *p = malloc(2);
    int table[4] = {0};
    if (p == NULL)
        return 0;
    p[0] = 1;
    int result = p[1] < 5 ? table[p[1]] : 0; //~ out-of-bounds
    free(p);
    return result;
}
