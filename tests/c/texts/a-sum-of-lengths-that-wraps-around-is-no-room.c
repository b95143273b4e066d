//@ engines: overlay; verdict: unknown
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc < 3) return 0;
    unsigned char sum = (unsigned char)(strlen(argv[1]) + strlen(argv[2]));
    char *both = malloc(sum + 1);
    if (!both) return 1;
    strcpy(both, argv[1]); //~ may out-of-bounds
    strcat(both, argv[2]);
    puts(both);
    free(both);
    return 0;
}
