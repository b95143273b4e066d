//@ engines: overlay; verdict: unsafe
// Every element of a ring leads to the head record.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct head;

struct node {
    struct node *next, *prev;
    struct head *head;
};

struct head {
    struct node *first;
    int n;
};

static void add(struct head *head)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->head = head;
    if (head->first) {
        node->next = head->first;
        node->prev = head->first->prev;
        node->prev->next = node;
        node->next->prev = node;
    } else {
        node->next = node->prev = node;
    }
    head->first = node;
    head->n++;
}

static void drop(struct node *node)
{
    struct head *head = node->head; //~ use-after-free
    if (node->next == node) {
        head->first = NULL;
    } else {
        node->prev->next = node->next;
        node->next->prev = node->prev;
    }
    head->n--;
    free(node); //~ may leak
}

int main(void)
{
    struct head *head = malloc(sizeof *head);
    if (!head)
        return 1;
    head->first = NULL;
    head->n = 0;
    while (__VERIFIER_nondet_int())
        add(head);
    while (head->first)
        drop(head->first);
    free(head);
    return 0;
}
