//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <string.h>

static const char *base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
int main(int argc, char **argv) {
    if (argc < 2) return 1;
    const char *b = base(argv[1]);
    printf("%c\n", b[0]);
    return 0;
}
