//@ engines: overlay; verdict: unsafe
#include <stdio.h>

int main(int argc, char **argv) {
    char msg[32];
    if (argc < 2) return 1;
    snprintf(msg, 64, "arg: %s", argv[1]); //~ out-of-bounds
    puts(msg);
    return 0;
}
