//@ engines: explicit, auto; verdict: unknown
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char byte = 'a';
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    if (pipe(ends) != 0)
        return 0;
    if (write(ends[1], "x", 1) != 1)
        return 0;
    if (read(ends[0], &byte, 1) == 1 && byte == 'y')
        free(p);        //~ may double-free
    return 0;
}
