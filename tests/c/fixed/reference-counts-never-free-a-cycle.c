//@ engines: explicit; verdict: safe
// Two reference-counted peers that hold each other are never freed when the outside lets go.
#include <stdlib.h>

struct peer {
    int references;
    struct peer *other;
};

static struct peer *peer_new(void)
{
    struct peer *peer = malloc(sizeof *peer);
    if (peer) {
        peer->references = 1;
        peer->other = NULL;
    }
    return peer;
}

static void peer_put(struct peer *peer)
{
    if (peer && --peer->references == 0) {
        peer_put(peer->other);
        free(peer);
    }
}

static void peer_connect(struct peer *from, struct peer *to)
{
    to->references++;
    from->other = to;
}

int main(void)
{
    struct peer *a = peer_new();
    struct peer *b = peer_new();
    if (a && b) {
        peer_connect(a, b);
        peer_connect(b, a);
    }
    if (a && a->other) {
        a->other = NULL;
        peer_put(b);
    }
    peer_put(a);
    peer_put(b);
    return 0;
}
