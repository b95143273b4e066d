//@ engines: explicit; verdict: safe
#include <stdlib.h>
#include <string.h>

struct pair {
    char c;
    int v;
};

int main(void)
{
    struct pair p;
    memset(&p, 0, sizeof p);
    p.c = 1;
    p.v = 2;
    if (*(int *)&p != 1)
        *(volatile int *)NULL = 1;
    return 0;
}
