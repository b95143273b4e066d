//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    size_t total = 0;
    for (int i = 1; i < argc; i++) {
        total += strlen(argv[i]);
    }
    printf("%zu\n", total);
    return 0;
}
