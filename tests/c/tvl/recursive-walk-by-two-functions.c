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

static int is_odd(struct node *head);

static int is_even(struct node *head) {
    return head ? is_odd(head->next) : 1;
}

static int is_odd(struct node *head) {
    return head ? is_even(head->next) : 0;
}

static void free_list(struct node *head) {
    if (!head)
        return;
    free_list(head->next);
    free(head);
}

int main(void) {
    struct node *head = make_list();
    int even = is_even(head);
    free_list(head);
    return even;
}
