//@ engines: explicit; verdict: safe
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char bytes[8];
    memset(bytes, 'x', sizeof bytes);
    ssize_t n = read(0, bytes, sizeof bytes);
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    free(p);
    if (n < 4 && bytes[5] != 'x')
        free(p);
    return 0;
}
