//@ engines: tvl; verdict: unsafe
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

static struct node *reverse(struct node *head) {
    if (!head || !head->next)
        return head;
    struct node *last = reverse(head->next);
    head->next->next = head;
    head->next = NULL;
    return last;
}

static void free_list(struct node *head) {
    if (!head)
        return;
    free_list(head->next);
    free(head);
}

int main(void) {
    struct node *head = make_list();
    struct node *last = reverse(head);
    free_list(head);
    if (last)
        last->data = 1; //~ use-after-free
    return 0; //~ leak
}
