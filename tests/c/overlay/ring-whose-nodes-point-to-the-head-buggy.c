//@ engines: overlay; verdict: unsafe
// Every node of a ring knows the head.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *head;
    int value;
};

static void append(struct node *head, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->value = value;
    node->head = head;
    node->next = head->next;
    head->next = node;
}

static int sum_from(struct node *node)
{
    int sum = 0;
    for (struct node *at = node->head->next; at != node->head; at = at->next)
        sum += at->value;
    return sum;
}

int main(void)
{
    struct node *head = malloc(sizeof *head);
    if (!head)
        return 1;
    head->next = head;
    head->head = head;
    head->value = 0;
    while (__VERIFIER_nondet_int())
        append(head, __VERIFIER_nondet_int());
    int total = sum_from(head->next);
    struct node *at = head->next;
    while (at != at->head) {
        struct node *next = at->next;
        free(at);
        at = next;
    }
    free(head->head);
    free(head); //~ double-free
    return total != 0;
}
