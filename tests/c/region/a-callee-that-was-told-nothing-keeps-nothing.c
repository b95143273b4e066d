//@ engines: region; verdict: unknown
//@ args: --property heap
// Only where a place for the comment is given may loading fail with the key already there.
#include <stdlib.h>

struct key {
    int bits;
};

static int try_load(struct key **key, char **comment) {
    *key = NULL;
    struct key *loaded = malloc(sizeof *loaded);
    if (!loaded)
        return -1;
    int status = 0;
    if (comment != NULL) {
        *comment = malloc(8);
        if (*comment == NULL)
            status = -2;
    }
    *key = loaded;
    return status;
}

static int load(struct key **key, char **comment) {
    return try_load(key, comment);
}

int main(void) {
    struct key *key;
    if (load(&key, NULL) != 0)
        return 1;
    free(key);
    return 0;
}
