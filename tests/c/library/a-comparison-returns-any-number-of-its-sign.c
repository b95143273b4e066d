//@ engines: explicit, auto; verdict: unsafe
//@ args: --assume-malloc-succeeds
// C says of the result of `strcmp` only which sign it has.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *a = "pear";
    const char *b = "apple";
    char *p = malloc(4);
    if (strcmp(a, b) == 77)
        free(p);
    free(p); //~ double-free
    return 0;
}
