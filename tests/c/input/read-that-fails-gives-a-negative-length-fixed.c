//@ engines: explicit; verdict: safe
#include <unistd.h>

int main(void)
{
    char data[16];
    ssize_t n = read(0, data, sizeof data - 1);
    if (n < 0)
        return 0;
    data[n] = 0;
    return 0;
}
