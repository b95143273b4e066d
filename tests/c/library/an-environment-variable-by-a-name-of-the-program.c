//@ engines: explicit; verdict: unknown
// Both are asked for the same, or not.
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3)
        return 0;
    const char *one = getenv(argv[1]), *other = getenv(argv[2]);
    if (one == NULL && other != NULL) {
        int *p = NULL;
        *p = 1; //~ may null-deref
    }
    return 0;
}
