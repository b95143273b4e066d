//@ engines: explicit; verdict: safe
#include <stdio.h>

int main(void)
{
    int n = 0;
    scanf("%d", &n);
    if (n > 3)
        return 1;
    return 0;
}
