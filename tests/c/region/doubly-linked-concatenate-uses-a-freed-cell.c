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

static struct node *concatenate(struct node *first, struct node *second) {
    if (!first)
        return second;
    struct node *last = first;
    while (last->next)
        last = last->next;
    last->next = second;
    if (second)
        second->prev = last;
    return first;
}

int main(void) {
    struct node *list = make();
    struct node *other = make();
    list = concatenate(list, other);
    if (list)
        free(list->next); //~ leak
    destroy(list); //~ may leak
    return 0; //~ may leak
}
