//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <string.h>

static const char *base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash + 1;
}
int main(int argc, char **argv) {
    if (argc < 2) return 1;
    const char *b = base(argv[1]);
    printf("%c\n", b[0]); //~ null-deref
    return 0;
}
