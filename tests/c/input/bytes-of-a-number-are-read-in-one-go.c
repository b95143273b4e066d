//@ engines: explicit, auto; verdict: unsafe
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    unsigned short length;
    if (read(0, &length, sizeof length) != (ssize_t)sizeof length) return 1;
    char *block = malloc(16);
    if (block == NULL) return 1;
    memset(block, 'x', length); //~ out-of-bounds
    free(block);
    return 0;
}
