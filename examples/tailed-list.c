/* Every cell knows the last one: heapwise check --engine refine --classes examples/tailed-list.shapes examples/tailed-list.c */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *last;
};

int main(void)
{
    struct node *head = malloc(sizeof *head);
    if (!head)
        return 1;
    head->next = NULL;
    head->last = head;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->next = head;
        node->last = head->last;
        head = node;
    }
    for (struct node *node = head; node; node = node->next)
        assert(node->last->next == NULL);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
