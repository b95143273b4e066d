//@ engines: explicit; verdict: safe
#include <stdlib.h>

int main(void)
{
    const char *first = getenv("HEAPWISE_HOME");
    const char *second = getenv("HEAPWISE_HOME");
    if (first != second)
        *(volatile int *)NULL = 1;
    if (first != NULL && first[0] == 'a' && second[0] != 'a')
        *(volatile int *)NULL = 1;
    return 0;
}
