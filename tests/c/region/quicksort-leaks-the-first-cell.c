//@ engines: region; verdict: unsafe
//@ args: --property heap
// The first cell is forgotten.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

extern int __VERIFIER_nondet_int(void);

static struct node *make(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->next = list;
        node->value = __VERIFIER_nondet_int();
        list = node;
    }
    return list;
}

static void destroy(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

static struct node *sorted(struct node *list, struct node *tail) {
    if (!list)
        return tail;
    struct node *pivot = list, *rest = list->next, *low = NULL, *high = NULL;
    pivot->next = NULL;
    while (rest) {
        struct node *next = rest->next;
        if (rest->value < pivot->value) {
            rest->next = low;
            low = rest;
        } else {
            rest->next = high;
            high = rest;
        }
        rest = next;
    }
    pivot->next = sorted(high, tail);
    return sorted(low, pivot);
}

int main(void) {
    struct node *list = make();
    list = sorted(list, NULL);
    if (list)
        destroy(list->next);
    return 0; //~ leak
}
