//@ engines: overlay; verdict: safe
#include <stdio.h>

int main(int argc, char **argv) {
    char msg[32];
    if (argc < 2) return 1;
    snprintf(msg, sizeof msg, "arg: %s", argv[1]);
    puts(msg);
    return 0;
}
