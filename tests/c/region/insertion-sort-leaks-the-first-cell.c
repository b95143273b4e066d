//@ engines: region; verdict: unsafe
//@ args: --property heap
// The first cell is forgotten.
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

static struct node *sort(struct node *list) {
    struct node *sorted = NULL;
    while (list) {
        struct node *node = list;
        list = list->next;
        if (!sorted || sorted->value >= node->value) {
            node->next = sorted;
            sorted = node;
        } else {
            struct node *at = sorted;
            while (at->next && at->next->value < node->value)
                at = at->next;
            node->next = at->next;
            at->next = node;
        }
    }
    return sorted;
}

int main(void) {
    struct node *list = make();
    list = sort(list);
    if (list)
        destroy(list->next);
    return 0; //~ leak
}
