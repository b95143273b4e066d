//@ engines: explicit; verdict: clean
#include <stdlib.h>

int main(int argc, char **argv)
{
    int table[10] = { 0 };
    if (argc < 2)
        return 0;
    char *end;
    long index = strtol(argv[1], &end, 10);
    if (end == argv[1] || *end != '\0' || index < 0 || index >= 10)
        return 0;
    table[index] = 1;
    return table[0];
}
