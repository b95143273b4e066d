//@ engines: explicit; verdict: safe
#include <string.h>
#include <unistd.h>

int main(void)
{
    char bytes[8];
    ssize_t n = read(0, bytes, sizeof bytes - 1);
    if (n <= 0)
        return 0;
    bytes[n] = '\0';
    long header;
    if (read(0, &header, sizeof header) != (ssize_t)sizeof header)
        return 0;
    return strlen(bytes) > 3 && header > 5;
}
