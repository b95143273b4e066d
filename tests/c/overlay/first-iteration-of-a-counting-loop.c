//@ engines: overlay; verdict: safe
// The head exists because the loop has run once.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *head = NULL, *last = NULL;
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    for (int i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->value = i;
        node->next = NULL;
        if (i == 0)
            head = node;
        else
            last->next = node;
        last = node;
    }
    int value = head->value + last->value;
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return value;
}
