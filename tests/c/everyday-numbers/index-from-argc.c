//@ engines: auto; verdict: safe
#include <stdio.h>

int main(int argc, char **argv) {
    static const char *level[] = {"none", "one", "two", "three"};
    (void)argv;
    if (argc > 4) argc = 4;
    if (argc < 1) return 1;
    puts(level[argc - 1]);
    return 0;
}
