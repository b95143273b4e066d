//@ engines: graph, tvl; verdict: unsafe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

struct allocator {
    struct node *(*get)(struct allocator *);
    void (*put)(struct allocator *, struct node *);
    struct node *unused;
};

static struct node *get(struct allocator *allocator)
{
    struct node *node = allocator->unused;
    if (!node)
        return malloc(sizeof *node);
    allocator->unused = node->next; //~ use-after-free
    return node;
}

static void put(struct allocator *allocator, struct node *node)
{
    node->next = allocator->unused; //~ leak
    allocator->unused = node;
}

int main(void)
{
    struct allocator allocator = { get, put, NULL };
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            struct node *node = allocator.get(&allocator);
            if (!node)
                break;
            node->next = list;
            list = node;
        } else if (list) {
            struct node *next;
            allocator.put(&allocator, list);
            next = list->next;
            free(list);
            list = next;
        }
    }
    while (list) {
        struct node *next = list->next;
        allocator.put(&allocator, list);
        list = next;
    }
    while (allocator.unused) {
        struct node *next = allocator.unused->next; //~ use-after-free
        free(allocator.unused);
        allocator.unused = next;
    }
    return 0;
}
