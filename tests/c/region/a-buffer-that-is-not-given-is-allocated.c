//@ engines: region; verdict: unsafe
//@ args: --property heap
// No buffer is given, so one is made, and forgotten.
#include <stdlib.h>

static char *resolve(const char *path, char *buffer) {
    char *made = buffer;
    if (buffer == NULL) {
        made = malloc(16);
        if (!made)
            return NULL;
    }
    made[0] = path[0];
    return made;
}

static int get(char **to) {
    if (to != NULL)
        *to = NULL;
    char *made = malloc(8);
    if (!made)
        return -1;
    if (to != NULL)
        *to = made;
    else
        free(made);
    return 0;
}

int main(void) {
    if (resolve(".", NULL) == NULL) //~ leak
        return 1;
    for (int i = 0; i < 3; i++) {
        char *name;
        if (get(&name) != 0)
            return 1;
        free(name);
    }
    return 0;
}
