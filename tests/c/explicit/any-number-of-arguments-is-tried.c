//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    int *cell = malloc(sizeof *cell);
    if (argc != 7)
        free(cell);
    return 0; //~ leak
}
