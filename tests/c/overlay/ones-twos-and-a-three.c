//@ engines: overlay; verdict: safe
// A list of ones, then twos, then a three: what is found there is checked.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#include <assert.h>

struct node {
    int value;
    struct node *next;
};

static struct node *make(int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->value = value;
    node->next = NULL;
    return node;
}

int main(void)
{
    struct node *head = make(1);
    struct node *last = head;
    while (__VERIFIER_nondet_int()) {
        last->next = make(1);
        last = last->next;
    }
    while (__VERIFIER_nondet_int()) {
        last->next = make(2);
        last = last->next;
    }
    last->next = make(3);
    struct node *node = head;
    while (node->value == 1)
        node = node->next;
    while (node->value == 2)
        node = node->next;
    assert(node->value == 3);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
