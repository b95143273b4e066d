//@ engines: explicit; verdict: safe
// The second number was read, so all before it was reached.
#include <stdio.h>

int main(void)
{
    int first, n, second;
    if (scanf("%d %*d ,%n%d", &first, &n, &second) == 2)
        return n == first + second;
    return 0;
}
