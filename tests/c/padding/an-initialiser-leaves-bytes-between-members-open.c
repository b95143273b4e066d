//@ engines: explicit; verdict: unsafe
#include <stddef.h>

struct pair {
    char c;
    int v;
};

int main(void)
{
    struct pair p = {0};
    if (((char *)&p)[1] == 7)
        *(volatile int *)NULL = 1; //~ null-deref
    return 0;
}
