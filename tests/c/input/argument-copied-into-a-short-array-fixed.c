//@ engines: explicit; verdict: unknown
#include <string.h>

int main(int argc, char **argv)
{
    char name[4];
    if (argc < 2 || strlen(argv[1]) >= sizeof name)
        return 0;
    strcpy(name, argv[1]);
    return name[0];
}
