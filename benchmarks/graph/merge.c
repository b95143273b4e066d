/* Merges two sorted lists into one. */
#include "list.h"

static struct node *merge(struct node *left, struct node *right)
{
    if (left == NULL)
        return right;
    if (right == NULL)
        return left;
    struct node *head;
    if (left->data <= right->data) {
        head = left;
        left = left->next;
    } else {
        head = right;
        right = right->next;
    }
    struct node *tail = head;
    for (;;) {
        if (left == NULL) {
            tail->next = right;
            break;
        }
        if (right == NULL) {
            tail->next = left;
            break;
        }
        if (left->data <= right->data) {
            tail->next = left;
            tail = left;
            left = left->next;
        } else {
            tail->next = right;
            tail = right;
            right = right->next;
        }
    }
    return head;
}

int main(void)
{
    struct node *left = make_list();
    struct node *right = make_list();
    struct node *head = merge(left, right);
    hw_assert_acyclic(head);
    free_list(head);
    return 0;
}
