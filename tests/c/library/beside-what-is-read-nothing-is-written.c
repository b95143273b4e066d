//@ engines: explicit; verdict: unsafe
#include <unistd.h>

int main(void)
{
    struct {
        char tag[4];
        int length;
    } header;
    if (read(0, header.tag, sizeof header.tag) != (ssize_t)sizeof header.tag)
        return 0;
    return header.length > 3; //~ uninitialised
}
