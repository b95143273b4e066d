//@ engines: explicit; verdict: clean
#include <stdlib.h>
#include <string.h>

int main(void)
{
    if (getenv("HEAPWISE_HOME") == NULL)
        return 0;
    size_t length = strlen(getenv("HEAPWISE_HOME"));
    char *copy = malloc(length + 1);
    if (copy == NULL)
        return 1;
    memcpy(copy, getenv("HEAPWISE_HOME"), length + 1);
    if (strlen(copy) != length)
        *(volatile int *)NULL = 1;
    free(copy);
    return 0;
}
