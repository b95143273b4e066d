//@ engines: overlay; verdict: safe
// A flag remembers whether a cell is owned.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node fallback = {NULL, 1};
    struct node *node = &fallback;
    int owned = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        if (!new)
            break;
        new->value = __VERIFIER_nondet_int();
        new->next = owned ? node : NULL;
        node = new;
        owned = 1;
    }
    int value = node->value;
    if (owned)
        while (node) {
            struct node *next = node->next;
            free(node);
            node = next;
        }
    return value;
}
