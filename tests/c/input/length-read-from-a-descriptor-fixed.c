//@ engines: explicit; verdict: safe
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char length;
    char data[64] = {0};
    if (read(0, &length, 1) != 1 || length >= sizeof data)
        return 0;
    return data[length];
}
