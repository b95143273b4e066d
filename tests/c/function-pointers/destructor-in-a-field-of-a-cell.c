//@ engines: tvl; verdict: safe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    void (*destroy)(struct node *);
};

static void destroy_node(struct node *node)
{
    free(node);
}

static void keep_node(struct node *node)
{
    node->next = NULL;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->next = list;
        node->destroy = destroy_node;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        list->destroy(list);
        list = next;
    }
    return keep_node == NULL;
}
