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

static struct node *splice(struct node *x, struct node *y) {
    struct node *t = NULL;
    struct node *h = y;
    while (x) {
        t = x;
        x = t->next;
        t->next = y->next;
        y->next = t;
        y = y->next->next;
        if (!y)
            break;
    }
    destroy(x);
    return h;
}

int main(void) {
    struct node *x = make();
    struct node *y = cons(1, make());
    struct node *list = splice(x, y);
    struct node *first = list;
    destroy(list);
    free(first); //~ double-free
    return 0;
}
