//@ engines: explicit; verdict: unsafe
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *home = getenv("HEAPWISE_HOME");
    if (home == NULL || home[0] == 0)
        return 0;
    char *copy = malloc(strlen(home));
    if (copy == NULL)
        return 1;
    strcpy(copy, home); //~ out-of-bounds
    free(copy);
    return 0;
}
