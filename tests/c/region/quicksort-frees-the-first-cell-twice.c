//@ engines: region; verdict: unsafe
//@ args: --property heap
// The first cell is freed again.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

extern int __VERIFIER_nondet_int(void);

static struct node *cons(int value, struct node *next) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->next = next;
    node->value = value;
    return node;
}

static struct node *make(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = cons(__VERIFIER_nondet_int(), list);
    return list;
}

static void destroy(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

static struct node *quicksort(struct node *list, struct node *rest) {
    if (!list)
        return rest;
    struct node *small = NULL;
    struct node *large = NULL;
    struct node *at = list->next;
    list->next = NULL;
    while (at) {
        struct node *next = at->next;
        if (at->value < list->value) {
            at->next = small;
            small = at;
        } else {
            at->next = large;
            large = at;
        }
        at = next;
    }
    list->next = quicksort(large, rest);
    return quicksort(small, list);
}

int main(void) {
    struct node *list = make();
    list = quicksort(list, NULL);
    struct node *first = list;
    destroy(list);
    free(first); //~ double-free
    return 0;
}
