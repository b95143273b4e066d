//@ engines: explicit, auto; verdict: unsafe
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int one = open("one", O_RDONLY);
    if (one < 0)
        return 1;
    close(one);
    int two = open("two", O_RDONLY);
    int *p = NULL;
    if (one == two)
        *p = 1;         //~ null-deref
    return 0;
}
