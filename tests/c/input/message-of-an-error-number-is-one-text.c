//@ engines: explicit; verdict: clean
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *message = strerror(2);
    char *copy = malloc(strlen(message) + 1);
    if (copy == NULL)
        return 1;
    strcpy(copy, message);
    if (copy[0] != message[0])
        *(volatile int *)NULL = 1;
    free(copy);
    return 0;
}
