//@ engines: refine; verdict: safe
// The number is set before it is asked for.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    long value;
};

static void *make(int is_large) {
    size_t size;
    size = sizeof(struct node);
    if (!is_large) return NULL;
    return malloc(size);
}

int main(void) {
    struct node *node = make(__VERIFIER_nondet_int());
    if (!node) return 1;
    node->next = NULL;
    node->value = 1;
    free(node);
    return 0;
}
