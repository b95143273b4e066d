//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 3) return 1;
    size_t first = strlen(argv[1]), second = strlen(argv[2]);
    char *copy = malloc(first + 1);
    if (copy == NULL) return 1;
    strcpy(copy, argv[2]); //~ out-of-bounds
    free(copy);
    return 0;
}
