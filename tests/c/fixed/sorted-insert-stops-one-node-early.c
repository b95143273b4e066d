//@ engines: explicit; verdict: safe
// Insertion into a sorted list compares with the wrong neighbour.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static void insert(struct node **list, int key)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->key = key;
    struct node **link = list;
    while (*link && (*link)->key < key)
        link = &(*link)->next;
    node->next = *link;
    *link = node;
}

static void check_sorted(const struct node *list)
{
    for (; list && list->next; list = list->next)
        assert(list->key <= list->next->key);
}

static void destroy(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++)
        insert(&list, __VERIFIER_nondet_int() & 3);
    check_sorted(list);
    destroy(list);
    return 0;
}
