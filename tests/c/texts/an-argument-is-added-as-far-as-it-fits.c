//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char buf[32] = "name: ";
    if (argc < 2) return 1;
    strncat(buf, argv[1], sizeof buf - strlen(buf) - 1);
    puts(buf);
    return 0;
}
