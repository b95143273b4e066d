//@ engines: tvl; verdict: unsafe
// The plain cell is unmade as if it had a payload, which it never got.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    void (*unmake)(struct item *);
    struct item *next;
    int *payload;
};

static void unmake_plain(struct item *item)
{
    free(item);
}

static void unmake_loaded(struct item *item)
{
    *item->payload = 0;
    //~^ null-deref
    free(item->payload);
    free(item);
}

static struct item *make_plain(void)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        return NULL;
    item->unmake = unmake_loaded;
    item->payload = NULL;
    return item;
}

static struct item *make_loaded(void)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        return NULL;
    item->payload = malloc(sizeof *item->payload);
    if (!item->payload) {
        unmake_plain(item);
        return NULL;
    }
    item->unmake = unmake_loaded;
    return item;
}

static struct item *(*const makers[])(void) = {make_plain, make_loaded};

int main(void)
{
    struct item *items = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *item = makers[__VERIFIER_nondet_int() != 0]();
        if (!item)
            continue;
        item->next = items;
        items = item;
    }
    while (items) {
        struct item *next = items->next;
        items->unmake(items);
        items = next;
    }
    return 0;
}
