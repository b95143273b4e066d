//@ engines: explicit, auto; verdict: unsafe
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int one = open("one", O_RDONLY);
    if (one < 0)
        return 1;
    FILE *f = fdopen(one, "r");
    if (f == NULL)
        return 1;
    fclose(f);
    int two = open("two", O_RDONLY);
    int *p = NULL;
    if (one == two)
        *p = 1;         //~ null-deref
    return 0;
}
