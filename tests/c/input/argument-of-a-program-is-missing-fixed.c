//@ engines: explicit; verdict: unknown
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 0;
    return argv[1][0];
}
