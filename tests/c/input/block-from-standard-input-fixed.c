//@ engines: explicit; verdict: safe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    unsigned char header[4];
    if (fread(header, 1, sizeof header, stdin) != sizeof header)
        return 0;
    char *p = malloc(1);
    if (header[0] == 0x7f && header[0] == 'E')
        free(p);
    free(p);
    return 0;
}
