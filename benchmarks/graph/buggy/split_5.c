//@ engines: graph; verdict: unsafe
//@ args: -I benchmarks/graph
/* One wrong statement in split_5.c: Splits a list into five, cell by cell, and keeps the order. */
#include "list.h"

static void append(struct node **head, struct node **tail, struct node *cell)
{
    cell->next = NULL;
    if (*head == NULL)
        *head = cell;
    else
        (*tail)->next = cell; //~ leak
    *tail = *head;
}

int main(void)
{
    struct node *list = make_list();
    struct node *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL;
    struct node *a_tail = NULL, *b_tail = NULL, *c_tail = NULL, *d_tail = NULL, *e_tail = NULL;
    while (list != NULL) {
        struct node *cell = list;
        list = list->next;
        switch (__VERIFIER_nondet_int()) {
        case 1:
            append(&a, &a_tail, cell);
            break;
        case 2:
            append(&b, &b_tail, cell);
            break;
        case 3:
            append(&c, &c_tail, cell);
            break;
        case 4:
            append(&d, &d_tail, cell);
            break;
        default:
            append(&e, &e_tail, cell);
            break;
        }
    }
    hw_assert_reach(a, a_tail);
    hw_assert_reach(e, e_tail);
    hw_assert_disjoint(a, b);
    hw_assert_disjoint(d, e);
    free_list(a);
    free_list(b);
    free_list(c);
    free_list(d);
    free_list(e);
    return 0;
}
