//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

int main(void)
{
    char *path = realpath(".", NULL);
    return path == NULL; //~ leak
}
