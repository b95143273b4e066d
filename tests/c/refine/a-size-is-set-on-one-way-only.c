//@ engines: refine; verdict: unsafe
// So much is asked for only where the number was set: elsewhere it has no value.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    long value;
};

static void *make(int is_large) {
    size_t size;
    if (is_large) size = sizeof(struct node);
    return malloc(size); //~ uninitialised
}

int main(void) {
    struct node *node = make(__VERIFIER_nondet_int());
    if (!node) return 1;
    node->next = NULL;
    node->value = 1;
    free(node);
    return 0;
}
