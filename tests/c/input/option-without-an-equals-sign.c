//@ engines: explicit; verdict: unsafe
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 0;
    char *value = strchr(argv[1], '=');
    *value = '\0'; //~ null-deref
    return 0;
}
