//@ engines: region; verdict: safe
//@ args: --property heap
// How many references there are depends on the way, and is known on each.
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
        release(other);
    }
    return 0;
}
