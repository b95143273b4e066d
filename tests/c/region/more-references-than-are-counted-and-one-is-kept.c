//@ engines: region; verdict: unsafe
//@ args: --property heap
// The first reference is never given back; a run shows it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct shared {
    int references;
};

struct link {
    struct shared *shared;
    struct link *next;
};

static void put(struct shared *shared) {
    if (--shared->references == 0)
        free(shared);
}

int main(void) {
    struct shared *shared = malloc(sizeof *shared);
    struct link *links = NULL;
    if (!shared)
        return 1;
    shared->references = 1;
    while (__VERIFIER_nondet_int()) {
        struct link *link = malloc(sizeof *link);
        if (!link)
            break;
        link->shared = shared;
        shared->references++;
        link->next = links;
        links = link;
    }
    while (links) {
        struct link *next = links->next;
        put(links->shared);
        free(links);
        links = next;
    }
    return 0; //~ leak
}
