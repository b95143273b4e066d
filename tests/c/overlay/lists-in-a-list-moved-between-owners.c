//@ engines: overlay; verdict: safe
// Inner lists are taken from one owner and given to another.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    struct item *next;
};

struct owner {
    struct owner *next;
    struct item *items;
};

static struct owner *owner_new(struct owner *next)
{
    struct owner *owner = malloc(sizeof *owner);
    if (!owner)
        abort();
    owner->items = NULL;
    owner->next = next;
    return owner;
}

static void give(struct owner *owner)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        return;
    item->next = owner->items;
    owner->items = item;
}

int main(void)
{
    struct owner *owners = NULL;
    while (__VERIFIER_nondet_int()) {
        owners = owner_new(owners);
        while (__VERIFIER_nondet_int())
            give(owners);
    }
    for (struct owner *owner = owners; owner && owner->next; owner = owner->next) {
        struct item *item = owner->items;
        if (item) {
            owner->items = item->next;
            item->next = owner->next->items;
            owner->next->items = item;
        }
    }
    while (owners) {
        while (owners->items) {
            struct item *next = owners->items->next;
            free(owners->items);
            owners->items = next;
        }
        struct owner *next = owners->next;
        free(owners);
        owners = next;
    }
    return 0;
}
