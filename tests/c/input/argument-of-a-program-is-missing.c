//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    return argv[1][0]; //~ null-deref
}
