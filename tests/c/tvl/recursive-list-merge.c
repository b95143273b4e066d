//@ engines: tvl; verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int data;
};

static struct node *make_list(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->data = __VERIFIER_nondet_int();
        node->next = head;
        head = node;
    }
    return head;
}

static struct node *merge(struct node *a, struct node *b) {
    if (!a)
        return b;
    if (!b)
        return a;
    if (a->data < b->data) {
        a->next = merge(a->next, b);
        return a;
    }
    b->next = merge(a, b->next);
    return b;
}

static void free_list(struct node *head) {
    if (!head)
        return;
    free_list(head->next);
    free(head);
}

int main(void) {
    free_list(merge(make_list(), make_list()));
    return 0;
}
