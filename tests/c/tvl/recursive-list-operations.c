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

static int length(struct node *head) {
    return head ? 1 + length(head->next) : 0;
}

static struct node *reverse(struct node *head) {
    if (!head || !head->next)
        return head;
    struct node *last = reverse(head->next);
    head->next->next = head;
    head->next = NULL;
    return last;
}

static struct node *append(struct node *first, struct node *second) {
    if (!first)
        return second;
    first->next = append(first->next, second);
    return first;
}

static struct node *copy(struct node *head) {
    if (!head)
        return NULL;
    struct node *node = malloc(sizeof *node);
    if (!node)
        return NULL;
    node->data = head->data;
    node->next = copy(head->next);
    return node;
}

static void free_list(struct node *head) {
    if (!head)
        return;
    free_list(head->next);
    free(head);
}

int main(void) {
    struct node *head = reverse(make_list());
    int n = length(head);
    head = append(copy(head), head);
    free_list(head);
    return n;
}
