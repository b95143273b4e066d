//@ engines: region; verdict: unsafe
//@ args: --property heap
// The shared reference is not given back.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct connection {
    unsigned references;
    int descriptor;
};

static void release(struct connection *connection) {
    connection->references--;
    if (connection->references > 0)
        return;
    free(connection);
}

int main(void) {
    struct connection *connection = calloc(1, sizeof *connection), *other = NULL;
    if (connection == NULL)
        return 1;
    connection->references = 1;
    if (__VERIFIER_nondet_int()) {
        other = connection;
        connection->references++;
    }
    release(connection);
    if (other) {
        other->descriptor = 3;
    }
    return 0; //~ leak
}
