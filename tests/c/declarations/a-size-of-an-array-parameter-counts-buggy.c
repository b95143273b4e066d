//@ engines: explicit, overlay, auto; verdict: unsafe
// The size of an array parameter is evaluated where the function is entered, though the parameter is a pointer.
#include <stdlib.h>

static int read(int n, int a[n++])
{
    return a[n - 1];   //~ out-of-bounds
}

int main(void)
{
    int *a = calloc(1, sizeof *a);
    if (!a)
        return 1;
    int result = read(1, a);
    free(a);
    return result;
}
