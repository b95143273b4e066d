//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(int argc, char **argv) {
    static const char *level[] = {"none", "one", "two", "three"};
    (void)argv;
    if (argc > 5) argc = 5;
    if (argc < 1) return 1;
    puts(level[argc - 1]); //~ out-of-bounds
    return 0;
}
