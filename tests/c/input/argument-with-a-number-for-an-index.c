//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

int main(int argc, char **argv)
{
    int table[3] = {0};
    if (argc != 2)
        return 0;
    int index = atoi(argv[1]);
    return index >= 0 && index <= 3 ? table[index] : 0; //~ out-of-bounds
}
