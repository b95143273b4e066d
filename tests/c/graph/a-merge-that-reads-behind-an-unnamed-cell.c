//@ engines: graph; verdict: safe
/* The cell between `tail->next = left` and `tail = tail->next` has no name: only lengths beyond 1 tell that nothing is lost. */
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int data;
    struct node *next;
};

static struct node *make(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            abort();
        node->data = __VERIFIER_nondet_int();
        node->next = list;
        list = node;
    }
    return list;
}

static struct node *merge(struct node *left, struct node *right)
{
    if (left == NULL)
        return right;
    if (right == NULL)
        return left;
    struct node *head = left;
    struct node *tail = head;
    left = left->next;
    while (left != NULL && right != NULL) {
        if (left->data <= right->data) {
            tail->next = left;
            left = left->next;
        } else {
            tail->next = right;
            right = right->next;
        }
        tail = tail->next;
    }
    if (left != NULL)
        tail->next = left;
    else
        tail->next = right;
    return head;
}

int main(void)
{
    struct node *head = merge(make(), make());
    while (head != NULL) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
