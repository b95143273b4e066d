//@ engines: explicit; verdict: safe
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    int *cell = malloc(sizeof *cell);
    if (!cell)
        return 1;
    if (argc > 1)
        *cell = 3;
    free(cell);
    return argc < 1;
}
