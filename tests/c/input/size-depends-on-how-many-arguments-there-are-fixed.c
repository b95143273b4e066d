//@ engines: explicit; verdict: clean
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    char *flags = malloc((size_t)argc);
    if (flags == NULL) return 1;
    for (int i = 1; i < argc; i++) {
        flags[i] = 1;
    }
    free(flags);
    return 0;
}
