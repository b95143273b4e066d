//@ engines: overlay, graph, tvl; verdict: safe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

struct allocator {
    void *(*get)(size_t);
    void (*put)(void *);
};

static void *get_cell(size_t bytes)
{
    return malloc(bytes);
}

static void put_cell(void *cell)
{
    free(cell);
}

struct list {
    struct allocator allocator;
    struct node *first;
};

static void add(struct list *list)
{
    struct node *node = list->allocator.get(sizeof *node);
    if (!node)
        return;
    node->next = list->first;
    list->first = node;
}

static void clear(struct list *list)
{
    while (list->first) {
        struct node *node = list->first;
        list->first = node->next;
        list->allocator.put(node);
    }
}

int main(void)
{
    struct list list = { { get_cell, put_cell }, NULL };
    while (__VERIFIER_nondet_int())
        add(&list);
    clear(&list);
    return 0;
}
