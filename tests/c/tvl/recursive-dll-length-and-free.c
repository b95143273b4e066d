//@ engines: tvl; verdict: safe
#include <heapwise.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
    int data;
};

static int length(struct node *head) {
    return head ? 1 + length(head->next) : 0;
}

static void free_list(struct node *head) {
    if (!head)
        return;
    free_list(head->next);
    free(head);
}

int main(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->data = 0;
        node->prev = NULL;
        node->next = head;
        if (head)
            head->prev = node;
        head = node;
    }
    int n = length(head);
    hw_assert_dll(head);
    free_list(head);
    return n;
}
