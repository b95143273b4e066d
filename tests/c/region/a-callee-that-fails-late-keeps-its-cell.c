//@ engines: region; verdict: unsafe
//@ args: --property heap
// Loading may fail with the key already there, which is forgotten then.
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
    char *comment;
    if (load(&key, &comment) != 0)
        return 1; //~ leak
    free(key);
    free(comment);
    return 0;
}
