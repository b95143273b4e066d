//@ engines: region; verdict: unsafe
//@ args: --property heap
// A buffer is given, and not used: the one that is made instead is lost.
#include <stdlib.h>

static char *resolve(const char *path, char *buffer) {
    if (path[0] == 'a')
        buffer = NULL;
    if (buffer == NULL) {
        buffer = malloc(16);
        if (!buffer)
            return NULL;
    }
    buffer[0] = path[0];
    return buffer;
}

int main(void) {
    char own[16];
    if (resolve("a", own) == NULL) //~ leak
        return 1;
    return 0;
}
