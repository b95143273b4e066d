//@ engines: explicit; verdict: unknown
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *home = getenv("HEAPWISE_HOME");
    if (home == NULL || home[0] == 0)
        return 0;
    char *copy = malloc(strlen(home) + 1);
    if (copy == NULL)
        return 1;
    strcpy(copy, home);
    free(copy);
    return 0;
}
