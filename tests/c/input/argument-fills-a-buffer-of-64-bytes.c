//@ engines: explicit, auto; verdict: unsafe
// Arguments are tried with the lengths that the arrays of the program suggest, not with short ones alone.
#include <string.h>

int main(int argc, char **argv)
{
    char name[64];
    if (argc < 2)
        return 1;
    strcpy(name, argv[1]); //~ out-of-bounds
    return name[0] == '/';
}
