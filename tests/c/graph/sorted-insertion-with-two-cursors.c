//@ engines: graph; verdict: safe
#include <stdlib.h>
#include "heapwise.h"
extern int __VERIFIER_nondet_int(void);

struct list { int key; struct list *next; };

static struct list *insert_sorted(struct list *head, int key)
{
    struct list *prev = NULL, *cur = head;
    struct list *n = malloc(sizeof(struct list));
    if (n == NULL)
        return head;
    n->key = key;
    while (cur != NULL && cur->key < key) {
        prev = cur;
        cur = cur->next;
    }
    n->next = cur;
    if (prev == NULL)
        return n;
    prev->next = n;
    return head;
}

int main(void)
{
    struct list *head = NULL;
    int i;
    for (i = 0; i < 10; ++i)
        head = insert_sorted(head, __VERIFIER_nondet_int());
    hw_assert_acyclic(head);
    while (head) {
        struct list *t = head;
        head = head->next;
        free(t);
    }
    return 0;
}
