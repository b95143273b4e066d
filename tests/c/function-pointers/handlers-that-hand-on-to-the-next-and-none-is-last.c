//@ engines: tvl; verdict: unsafe
// The handler that hands on does not ask whether there is another one.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct handler {
    int (*handle)(struct handler *, int);
    struct handler *next;
};

static int refuse(struct handler *self, int request)
{
    (void)self;
    return -request;
}

static int hand_on(struct handler *self, int request)
{
    return self->next->handle(self->next, request);
    //~^ null-deref
}

int main(void)
{
    struct handler *chain = NULL;
    while (__VERIFIER_nondet_int()) {
        struct handler *handler = malloc(sizeof *handler);
        if (!handler)
            break;
        handler->handle = __VERIFIER_nondet_int() ? refuse : hand_on;
        handler->next = chain;
        chain = handler;
    }
    int result = chain ? chain->handle(chain, 1) : 0;
    while (chain) {
        struct handler *next = chain->next;
        free(chain);
        chain = next;
    }
    return result > 1;
}
