//@ engines: region; verdict: unknown
//@ args: --property heap
// How many references there are is not known, so what the count decides is in doubt, and no error is claimed.
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
    put(shared);
    while (links) {
        struct link *next = links->next;
        put(links->shared);
        free(links);
        links = next;
    }
    return 0;
}
