//@ engines: graph, tvl; verdict: unsafe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

typedef void release(struct node *);

static void release_all(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

static void release_one(struct node *list)
{
    free(list); //~ leak
}

static release *suited(struct node *list)
{
    if (list && list->next)
        return release_one;
    return release_all;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->next = list;
        list = node;
    }
    release *function = suited(list);
    function(list);
    return 0;
}
