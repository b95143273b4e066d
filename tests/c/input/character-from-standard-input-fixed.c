//@ engines: explicit; verdict: safe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int count[256] = {0};
    int c = getchar();
    if (c != EOF)
        count[c]++;
    return 0;
}
