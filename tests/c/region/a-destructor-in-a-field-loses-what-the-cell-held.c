//@ engines: region; verdict: unknown
//@ args: --property heap
// The destructor is `free` itself, through a pointer: what the item holds is lost.
#include <stdlib.h>

struct item {
    char *label;
};

struct owner {
    void *data;
    void (*destroy)(void *);
};

static void owner_close(struct owner *owner) {
    if (owner->destroy)
        owner->destroy(owner->data);
    owner->data = NULL;
}

int main(void) {
    struct owner owner;
    struct item *item = malloc(sizeof *item);
    if (!item)
        return 1;
    item->label = malloc(4);
    owner.data = item;
    owner.destroy = free;
    item = NULL;
    owner_close(&owner); //~ leak
    return 0;
}
