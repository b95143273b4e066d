//@ engines: overlay; verdict: unsafe
// Every node is on the lower list, some are on the upper one.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
    struct node *upper;
};

struct list {
    struct node *first;
    struct node *upper;
};

static void push(struct list *list, int key, int is_high)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->key = key;
    node->upper = NULL;
    node->next = list->first;
    list->first = node;
    if (is_high) {
        node->upper = list->upper;
        list->upper = node;
    }
}

int main(void)
{
    struct list list = {NULL, NULL};
    while (__VERIFIER_nondet_int())
        push(&list, __VERIFIER_nondet_int(), __VERIFIER_nondet_int());
    while (list.first) {
        struct node *next = list.first->next;
        free(list.first);
        list.first = next;
    }
    int n = 0;
    for (struct node *node = list.upper; node; node = node->upper) //~ use-after-free
        n++;
    return n;
}
