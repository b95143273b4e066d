//@ engines: explicit; verdict: safe
#include <stdlib.h>
#include <string.h>

int main(void)
{
    if (getenv("HEAPWISE_HOME") == NULL)
        return 0;
    return *getenv("HEAPWISE_HOME");
}
