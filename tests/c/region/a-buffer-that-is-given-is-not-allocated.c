//@ engines: region; verdict: safe
//@ args: --property heap
// Only where no buffer is given is one made, as `realpath` does.
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
    char buffer[16];
    if (resolve(".", buffer) == NULL)
        return 1;
    for (int i = 0; i < 3; i++) {
        char *name;
        if (get(&name) != 0)
            return 1;
        free(name);
    }
    return 0;
}
