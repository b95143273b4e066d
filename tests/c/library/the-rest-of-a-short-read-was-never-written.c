//@ engines: explicit; verdict: unsafe
#include <unistd.h>

int main(void)
{
    char bytes[8];
    ssize_t n = read(0, bytes, sizeof bytes);
    if (n < 4)
        return 0;
    if (bytes[5] == 'a') //~ uninitialised
        return 1;
    return 0;
}
