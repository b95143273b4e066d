//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char buf[32] = "name: ";
    if (argc < 2) return 1;
    strncat(buf, argv[1], sizeof buf - 1); //~ out-of-bounds
    puts(buf);
    return 0;
}
