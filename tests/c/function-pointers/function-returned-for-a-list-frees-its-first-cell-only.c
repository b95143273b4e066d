//@ engines: graph, tvl; verdict: unsafe
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

static void free_first(struct node *list)
{
    free(list); //~ leak
}

static void free_none(struct node *list)
{
    (void)list;
}

static void (*release_for(struct node *list))(struct node *)
{
    return list ? free_first : free_none;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = push(list);
    release_for(list)(list);
    return 0;
}
