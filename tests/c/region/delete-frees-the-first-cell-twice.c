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

static struct node *delete(struct node *list, int value) {
    struct node *before = NULL;
    struct node *at = list;
    while (at && at->value != value) {
        before = at;
        at = at->next;
    }
    if (!at)
        return list;
    if (before)
        before->next = at->next;
    else
        list = at->next;
    free(at);
    return list;
}

int main(void) {
    struct node *list = make();
    list = delete(list, 3);
    struct node *first = list;
    destroy(list);
    free(first); //~ double-free
    return 0;
}
