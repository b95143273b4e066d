//@ engines: explicit; verdict: unknown
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *p = malloc(1);
    if (argc > 1 && strcmp(argv[1], "-f") == 0 && argv[1][1] == 'g')
        free(p);
    free(p);
    return 0;
}
