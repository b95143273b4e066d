//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2)
        return 0;
    return *getenv(argv[1]); //~ null-deref
}
