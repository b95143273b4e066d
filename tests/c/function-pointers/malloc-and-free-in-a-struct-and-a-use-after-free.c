//@ engines: tvl, auto; verdict: unsafe
// What the memory is, only the caller of the allocator says.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

struct allocator {
    void *(*get)(size_t);
    void (*put)(void *);
};

static struct node *push(const struct allocator *allocator, struct node *list)
{
    struct node *node = allocator->get(sizeof *node);
    if (!node)
        return list;
    node->next = list;
    node->value = 0;
    return node;
}

int main(void)
{
    struct allocator allocator = {malloc, free};
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = push(&allocator, list);
    while (list) {
        allocator.put(list);
        list = list->next; //~ use-after-free
    }
    return 0;
}
