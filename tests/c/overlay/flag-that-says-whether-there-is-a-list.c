//@ engines: overlay; verdict: safe
// A flag is set when the list has an element.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *list = NULL;
    int have = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->value = __VERIFIER_nondet_int();
        node->next = list;
        list = node;
        have = 1;
    }
    int least = 0;
    if (have) {
        least = list->value;
        for (struct node *node = list->next; node; node = node->next)
            if (node->value < least)
                least = node->value;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return least;
}
