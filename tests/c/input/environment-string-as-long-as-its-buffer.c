//@ engines: explicit, auto; verdict: unsafe
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char home[32];
    char *value = getenv("HEAPWISE_HOME");
    if (!value || strlen(value) > sizeof home)
        return 1;
    strcpy(home, value); //~ out-of-bounds
    return home[0] == '/';
}
