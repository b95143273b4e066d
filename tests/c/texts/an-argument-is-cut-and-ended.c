//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <string.h>

struct rec { char name[16]; int n; };
int main(int argc, char **argv) {
    char name[16];
    if (argc < 2) return 1;
    strncpy(name, argv[1], sizeof name);
    name[sizeof name - 1] = '\0';
    size_t n = strlen(name);
    printf("%zu\n", n);
    return 0;
}
