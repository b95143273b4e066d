//@ engines: explicit; verdict: unsafe
#include <unistd.h>

int main(void)
{
    char data[16];
    ssize_t n = read(0, data, sizeof data - 1);
    data[n] = 0; //~ out-of-bounds
    return 0;
}
