//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *push(struct node *list)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return list;
    node->next = list;
    return node;
}

static void free_all(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

struct driver {
    int version;
    struct {
        struct node *(*add)(struct node *);
        struct {
            void (*release)(struct node *);
        } end;
    } ops;
};

static const struct driver driver = { 1, { push, { free_all } } };

int main(void)
{
    const struct driver *used = &driver;
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = used->ops.add(list);
    used->ops.end.release(list);
    return 0;
}
