//@ engines: graph; verdict: safe
#include <stdlib.h>
#include "heapwise.h"
int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

static struct node *insertion_sort(struct node *head)
{
    struct node *sorted = NULL;
    while (head != NULL) {
        struct node *current = head;
        head = head->next;
        if (sorted == NULL || sorted->data >= current->data) {
            current->next = sorted;
            sorted = current;
        } else {
            struct node *p = sorted;
            while (p->next != NULL && p->next->data < current->data)
                p = p->next;
            current->next = p->next;
            p->next = current;
        }
    }
    return sorted;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (n == NULL)
            break;
        n->data = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    list = insertion_sort(list);
    hw_assert_acyclic(list);
    while (list != NULL) {
        struct node *n = list;
        list = list->next;
        free(n);
    }
    return 0;
}
