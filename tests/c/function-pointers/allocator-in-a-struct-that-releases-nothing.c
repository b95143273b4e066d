//@ engines: graph, tvl; verdict: unsafe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

struct allocator {
    struct node *(*allocate)(void);
    void (*release)(struct node *);
};

static struct node *from_heap(void)
{
    return malloc(sizeof(struct node));
}

static void to_heap(struct node *node)
{
    free(node);
}

static void ignore(struct node *node)
{
    (void)node;
}

int main(void)
{
    struct allocator allocator = { from_heap, to_heap };
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = allocator.allocate();
        if (!node)
            break;
        node->next = list;
        node->value = 0;
        list = node;
    }
    allocator.release = ignore;
    while (list) {
        struct node *next = list->next;
        allocator.release(list);
        list = next; //~ leak
    }
    return 0;
}
