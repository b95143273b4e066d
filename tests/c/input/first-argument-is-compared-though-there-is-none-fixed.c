//@ engines: explicit; verdict: clean
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc < 2) return 1;
    (void)argc;
    if (strcmp(argv[1], "go") == 0) puts("gone");
    return 0;
}
