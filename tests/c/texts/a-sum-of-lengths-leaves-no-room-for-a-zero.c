//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc < 3) return 0;
    char *both = malloc(strlen(argv[1]) + strlen(argv[2]));
    if (!both) return 1;
    strcpy(both, argv[1]); //~ out-of-bounds
    strcat(both, argv[2]);
    puts(both);
    free(both);
    return 0;
}
