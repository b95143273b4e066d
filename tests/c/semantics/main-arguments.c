//@ differential
#include <stdio.h>

int main(int argc, char **argv)
{
    int has_name = argc > 0 && argv[0] != NULL && argv[0][0] != '\0';
    printf("%d %d %d\n", argc == 1, has_name, argv[argc] == NULL);
    return argc;
}
