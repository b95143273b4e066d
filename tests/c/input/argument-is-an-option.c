//@ engines: explicit; verdict: unsafe
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *p = malloc(1);
    if (argc > 1 && strcmp(argv[1], "-f") == 0)
        free(p);
    free(p); //~ double-free
    return 0;
}
