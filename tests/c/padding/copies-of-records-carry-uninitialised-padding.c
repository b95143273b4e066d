//@ engines: explicit; verdict: unsafe
#include <stdlib.h>
#include <string.h>

struct pair {
    char c;
    int v;
};

int main(void)
{
    struct pair p, q;
    p.c = 1;
    p.v = 2;
    memset(&q, 0, sizeof q);
    q = p;
    if (((char *)&q)[1] == 0) //~ uninitialised
        return 1;
    return 0;
}
