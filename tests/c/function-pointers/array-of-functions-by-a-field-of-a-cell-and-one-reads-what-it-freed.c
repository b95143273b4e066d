//@ engines: overlay; verdict: unsafe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    enum { PLAIN, MARKED } kind;
};

static void free_plain(struct node *node)
{
    free(node);
}

static void free_marked(struct node *node)
{
    free(node);
    node->next = NULL; //~ use-after-free
}

static void (*const release[])(struct node *) = { [PLAIN] = free_plain, [MARKED] = free_marked };

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->kind = __VERIFIER_nondet_int() ? MARKED : PLAIN;
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        release[list->kind](list);
        list = next;
    }
    return 0;
}
