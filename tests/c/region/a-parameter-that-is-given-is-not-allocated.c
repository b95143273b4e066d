//@ engines: region; verdict: safe
//@ args: --property heap
// Only where no buffer is given is one made, and the parameter itself takes it.
#include <stdlib.h>

static char *resolve(const char *path, char *buffer) {
    if (path[0] == '\0')
        return NULL;
    if (buffer == NULL) {
        buffer = malloc(16);
        if (!buffer)
            return NULL;
    }
    buffer[0] = path[0];
    return buffer;
}

int main(int argc, char **argv) {
    char own[16];
    if (resolve(argc > 1 ? "a" : "", own) == NULL)
        return 1;
    char *made = resolve("b", NULL);
    free(made);
    return own[0] != 'a';
}
