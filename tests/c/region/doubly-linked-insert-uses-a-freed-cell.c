//@ engines: region; verdict: unsafe
//@ args: --property heap
// The second cell is freed and then walked over.
#include <stdlib.h>

struct node {
    struct node *next, *prev;
    int value;
};

extern int __VERIFIER_nondet_int(void);

static struct node *cons(int value, struct node *next) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->value = value;
    node->prev = NULL;
    node->next = next;
    if (next)
        next->prev = node;
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
        struct node *next = list->next; //~ use-after-free
        free(list);
        list = next;
    }
}

static struct node *insert(struct node *list, int value) {
    if (!list)
        return cons(value, NULL);
    struct node *at = list;
    while (at->next && at->next->value < value)
        at = at->next;
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->value = value;
    node->prev = at;
    node->next = at->next;
    if (node->next)
        node->next->prev = node;
    at->next = node;
    return list;
}

int main(void) {
    struct node *list = make();
    list = insert(list, __VERIFIER_nondet_int());
    if (list)
        free(list->next); //~ leak
    destroy(list); //~ may leak
    return 0;
}
