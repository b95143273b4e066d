//@ engines: explicit; verdict: safe
#include <stdlib.h>
#include <string.h>

struct pair {
    char c;
    int v;
};

int main(void)
{
    struct pair p = {1, 2}, q;
    q = p;
    if (((char *)&p)[2] != ((char *)&q)[2])
        *(volatile int *)NULL = 1;
    return q.v - p.v;
}
