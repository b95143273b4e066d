//@ engines: explicit; verdict: safe
// The largest value of a list that may be empty.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    int value;
    struct node *next;
};

static void largest(const struct node *list, int *result)
{
    *result = 0;
    if (!list)
        return;
    *result = list->value;
    for (list = list->next; list; list = list->next)
        if (list->value > *result)
            *result = list->value;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 2 && __VERIFIER_nondet_bool(); i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->value = i;
        node->next = list;
        list = node;
    }
    int maximum;
    largest(list, &maximum);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return maximum > 5;
}
