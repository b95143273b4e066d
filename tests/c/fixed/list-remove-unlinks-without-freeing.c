//@ engines: explicit; verdict: safe
// Removing by value: the node is unlinked, and nobody frees it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *prepend(struct node *list, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return list;
    node->value = value;
    node->next = list;
    return node;
}

static _Bool remove_value(struct node **list, int value)
{
    for (struct node **link = list; *link; link = &(*link)->next) {
        if ((*link)->value == value) {
            struct node *found = *link;
            *link = found->next;
            free(found);
            return 1;
        }
    }
    return 0;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++)
        list = prepend(list, i);
    remove_value(&list, __VERIFIER_nondet_int());
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
