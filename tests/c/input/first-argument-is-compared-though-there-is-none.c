//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argc;
    if (strcmp(argv[1], "go") == 0) puts("gone"); //~ null-deref
    return 0;
}
