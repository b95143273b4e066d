//@ engines: explicit; verdict: clean
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 0;
    char *value = strchr(argv[1], '=');
    if (value != NULL)
        *value = '\0';
    return 0;
}
