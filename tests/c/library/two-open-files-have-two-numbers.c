//@ engines: explicit, auto; verdict: safe
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int one = open("one", O_RDONLY);
    int two = open("two", O_RDONLY);
    int ends[2];
    int *p = NULL;
    if (one >= 0 && one == two)
        *p = 1;
    if (one == 3 && two == 3)
        *p = 2;
    if (pipe(ends) == 0 && (ends[0] == ends[1] || (one != -1 && ends[1] == one)))
        *p = 3;
    return 0;
}
